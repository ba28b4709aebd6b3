package dev.gannet.transport.netty;

import dev.gannet.transport.PeerText;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Why TLS failed, for statuses and logs: what happened, and which option may help. The JDK and
 * OpenSSL report the same alert or failure with different texts.
 */
final class TlsErrorText {
  static final String NO_HTTP2 = "the other side speaks TLS but does not offer HTTP/2 (ALPN h2)";

  /** The side of a connection that this process is. */
  enum Side {
    CLIENT(
        "the server",
        "ChannelCredentials.tls().withTrust or the trust store of the JVM",
        "ChannelCredentials.tls().withIdentity"),
    SERVER("the client", "ServerCredentials.withClientAuth", "ServerCredentials.tls");

    private final String peer;
    private final String trustOption;
    private final String identityOption;

    Side(String peer, String trustOption, String identityOption) {
      this.peer = peer;
      this.trustOption = trustOption;
      this.identityOption = identityOption;
    }

    /** The side of a channel; a channel without TLS counts as a client's. */
    static Side of(ChannelHandlerContext context) {
      SslHandler tls = context.pipeline().get(SslHandler.class);
      return tls == null || tls.engine().getUseClientMode() ? CLIENT : SERVER;
    }
  }

  /**
   * A kind of failure, by parts of the texts that TLS libraries have for it, in lower case. An
   * alert of the peer is listed with its name in RFC 8446 §6.
   */
  private enum Kind {
    NO_APPLICATION_PROTOCOL("no_application_protocol", "no matching application layer protocol"),
    /** Two bytes where encrypted ones are expected: a client sent this alert without a key. */
    USER_CANCELED("user_canceled", "insufficient buffer remaining for aead cipher fragment (2)"),
    NO_CLIENT_CERTIFICATE(
        "empty client certificate chain", "peer_did_not_return_a_certificate", "null cert chain"),
    CERTIFICATE_REQUIRED("certificate_required"),
    CERTIFICATE_EXPIRED("certificate_expired"),
    CERTIFICATE_REJECTED(
        "unknown_ca",
        "unknown_certificate",
        "certificate_unknown",
        "bad_certificate",
        "unsupported_certificate",
        "certificate_revoked"),
    NOTHING_IN_COMMON("no cipher suites in common", "no_shared_cipher", "handshake_failure"),
    OLD_VERSION(
        "unsupported_protocol",
        "protocol_version",
        "is not enabled or supported",
        "version_too_low"),
    INTERNAL_ERROR("internal_error"),
    OTHER;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
    private final List<String> texts;

    Kind(String... texts) {
      this.texts = List.of(texts);
    }

    static Kind of(String text) {
      String lowerCase = text.toLowerCase(Locale.ROOT);
      for (Kind each : values()) {
        if (each.texts.stream().anyMatch(lowerCase::contains)) {
          return each;
        }
      }
      return OTHER;
    }
  }

  private TlsErrorText() {}

  /** The text if TLS has failed; otherwise empty. */
  static Optional<String> of(Throwable cause, Side side) {
    CertificateException certificate = find(cause, CertificateException.class);
    if (certificate != null) {
      return Optional.of(
          side.peer + "'s certificate is not accepted: " + rejection(certificate, side));
    }
    if (find(cause, NotSslRecordException.class) != null) {
      return Optional.of(
          side == Side.CLIENT
              ? "the server does not speak TLS on this port; if it serves plaintext, use plaintext()"
              : "the client does not speak TLS, which this server requires; it may use plaintext");
    }
    return Optional.ofNullable(find(cause, SSLException.class))
        .map(tls -> describe(deepest(tls), side));
  }

  private static String rejection(CertificateException why, Side side) {
    String detail = PeerText.escaped(deepest(why));
    if (find(why, CertificateExpiredException.class) != null) {
      return "it has expired (" + detail + ")";
    }
    if (find(why, CertificateNotYetValidException.class) != null) {
      return "it is not valid yet (" + detail + ")";
    }
    if (detail.contains("unable to find valid certification path")) {
      return "its issuer is not trusted ("
          + detail
          + "); trusted are the certificates of "
          + side.trustOption;
    }
    if (side == Side.CLIENT && detail.startsWith("No ") && detail.contains("name")) {
      return "it is for another host name ("
          + detail
          + "); overrideAuthority sets the expected name";
    }
    return detail;
  }

  private static String describe(String why, Side side) {
    Kind kind = Kind.of(why);
    String detail = " (TLS: " + PeerText.escaped(why) + ")";
    return switch (kind) {
      case NO_APPLICATION_PROTOCOL -> NO_HTTP2;
      case USER_CANCELED -> side.peer + " gave up during the TLS handshake";
      case NOTHING_IN_COMMON, OLD_VERSION -> nothingInCommon(kind, side) + detail;
      case OTHER -> "TLS failed: " + PeerText.escaped(why);
      case NO_CLIENT_CERTIFICATE,
          CERTIFICATE_REQUIRED,
          CERTIFICATE_EXPIRED,
          CERTIFICATE_REJECTED,
          INTERNAL_ERROR ->
          certificateFault(kind, side) + detail;
    };
  }

  private static String nothingInCommon(Kind kind, Side side) {
    if (kind == Kind.OLD_VERSION) {
      return "this side and "
          + side.peer
          + " have no TLS version in common; Gannet uses 1.3 and 1.2, or those of withProtocols";
    }
    return "this side and "
        + side.peer
        + " have no TLS version or cipher suite in common"
        + (side == Side.CLIENT ? ", or the server requires a client certificate" : "")
        + "; Gannet uses TLS 1.3 and 1.2 with the cipher suites of HTTP/2 (RFC 9113 §9.2.2), or those"
        + " of withProtocols and withCipherSuites";
  }

  private static String certificateFault(Kind kind, Side side) {
    String peer = side.peer;
    String own = "this side's certificate (" + side.identityOption + ")";
    return switch (kind) {
      case NO_CLIENT_CERTIFICATE ->
          "the client sent no certificate, but this server requires one (withClientAuth); the client"
              + " sets it with "
              + Side.CLIENT.identityOption;
      case CERTIFICATE_REQUIRED ->
          peer
              + " requires a certificate of the client, but got none that it accepts; set one with "
              + side.identityOption;
      case CERTIFICATE_EXPIRED -> peer + " rejected " + own + " because it has expired";
      case CERTIFICATE_REJECTED ->
          side == Side.CLIENT
              ? peer
                  + " rejected "
                  + own
                  + ", or requires one and got none; it must be valid, and its issuer trusted by the"
                  + " server"
              : peer
                  + " rejected "
                  + own
                  + "; it must name the requested host and be valid, and its issuer must be trusted"
                  + " by the client";
      default ->
          peer
              + " ended the TLS handshake with the alert internal_error; often it does not accept "
              + own
              + ", and its own log says why";
    };
  }

  private static String deepest(Throwable thrown) {
    Throwable at = thrown;
    while (at.getCause() != null && at.getCause().getMessage() != null) {
      at = at.getCause();
    }
    return String.valueOf(at.getMessage());
  }

  private static <T> @Nullable T find(Throwable thrown, Class<T> type) {
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (type.isInstance(at)) {
        return type.cast(at);
      }
    }
    return null;
  }
}
