package dev.gannet.transport.netty;

import io.netty.util.NetUtil;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The names in a server's certificate, after the handshake has found that it is trusted and names
 * the requested server: calls may also use its other names as their authority (RFC 9525 §6: only
 * alternative names count, a wildcard stands for one complete label).
 *
 * @param name the name that the handshake has checked
 * @param tls empty in plaintext, where servers prove nothing
 */
record CertifiedServer(String name, Optional<SSLSession> tls) implements Predicate<String> {
  private static final Pattern AUTHORITY =
      Pattern.compile("(?:\\[([0-9a-fA-F.]*:[0-9a-fA-F:.]*)]|([A-Za-z0-9._-]+))(?::\\d*)?");

  private static final int DNS_NAME = 2; // RFC 5280 §4.2.1.6: the choices of GeneralName
  private static final int IP_ADDRESS = 7;

  /** Whether the server may be asked for that authority. */
  @Override
  public boolean test(String authority) {
    if (tls.isEmpty()) {
      return true;
    }
    Matcher parts = AUTHORITY.matcher(authority);
    if (!parts.matches()) {
      return false;
    }
    String host = parts.group(1) == null ? parts.group(2) : parts.group(1);
    return host.equalsIgnoreCase(name) || names(tls.get(), host);
  }

  private static boolean names(SSLSession tls, String host) {
    try {
      return tls.getPeerCertificates()[0] instanceof X509Certificate certificate
          && names(certificate, host);
    } catch (SSLPeerUnverifiedException | CertificateParsingException e) {
      return false;
    }
  }

  private static boolean names(X509Certificate certificate, String host)
      throws CertificateParsingException {
    @Nullable Collection<List<?>> names = certificate.getSubjectAlternativeNames();
    byte @Nullable [] address = NetUtil.createByteArrayFromIpAddressString(host);
    return names != null
        && names.stream().anyMatch(it -> address == null ? isName(it, host) : is(it, address));
  }

  private static boolean isName(List<?> alternative, String host) {
    return alternative.getFirst().equals(DNS_NAME)
        && alternative.get(1) instanceof String pattern
        && (pattern.startsWith("*.") ? fits(pattern, host) : pattern.equalsIgnoreCase(host));
  }

  /** A wildcard for all hosts of a top-level domain is never accepted. */
  private static boolean fits(String wildcard, String host) {
    String domain = wildcard.substring(1);
    int firstDot = host.indexOf('.');
    return domain.indexOf('.', 1) > 0
        && firstDot > 0
        && host.substring(firstDot).equalsIgnoreCase(domain);
  }

  private static boolean is(List<?> alternative, byte[] address) {
    return alternative.getFirst().equals(IP_ADDRESS)
        && alternative.get(1) instanceof String text
        && Arrays.equals(NetUtil.createByteArrayFromIpAddressString(text), address);
  }
}
