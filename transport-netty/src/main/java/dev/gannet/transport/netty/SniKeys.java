package dev.gannet.transport.netty;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a server with several identities: the name that a client asks for (RFC 6066 §3)
 * decides which identity it gets. The exact name is tried first, then {@code *.} with the rest of
 * it, then the default. An alias is the identity's number followed by the alias of its own key.
 */
final class SniKeys extends X509ExtendedKeyManager {
  private final List<X509KeyManager> identities;
  private final Map<String, Integer> byName;

  /**
   * The keys of these identities.
   *
   * @param identities the default first
   * @param byName their indexes, by names in lower case
   */
  SniKeys(List<X509KeyManager> identities, Map<String, Integer> byName) {
    this.identities = List.copyOf(identities);
    this.byName = Map.copyOf(byName);
  }

  private int wantedBy(@Nullable SSLEngine engine) {
    SSLSession session = engine == null ? null : engine.getHandshakeSession();
    if (session instanceof ExtendedSSLSession extended) {
      for (SNIServerName name : extended.getRequestedServerNames()) {
        if (name instanceof SNIHostName host) {
          return placeOf(host.getAsciiName().toLowerCase(Locale.ROOT));
        }
      }
    }
    return 0;
  }

  private int placeOf(String host) {
    Integer exact = byName.get(host);
    if (exact != null) {
      return exact;
    }
    int dot = host.indexOf('.');
    return dot < 0 ? 0 : byName.getOrDefault("*" + host.substring(dot), 0);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    int place = wantedBy(engine);
    X509KeyManager identity = identities.get(place);
    String alias =
        identity instanceof X509ExtendedKeyManager extended
            ? extended.chooseEngineServerAlias(keyType, issuers, engine)
            : identity.chooseServerAlias(keyType, issuers, null);
    return alias == null ? null : place + "." + alias;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return chooseEngineServerAlias(keyType, issuers, null);
  }

  private X509KeyManager ownerOf(String alias) {
    return identities.get(Integer.parseInt(alias.substring(0, alias.indexOf('.'))));
  }

  private static String bare(String alias) {
    return alias.substring(alias.indexOf('.') + 1);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return ownerOf(alias).getCertificateChain(bare(alias));
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return ownerOf(alias).getPrivateKey(bare(alias));
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    String[] own = identities.getFirst().getServerAliases(keyType, issuers);
    if (own == null) {
      return null;
    }
    String[] numbered = new String[own.length];
    for (int i = 0; i < own.length; i++) {
      numbered[i] = "0." + own[i];
    }
    return numbered;
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
