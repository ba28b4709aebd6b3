package dev.gannet.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a server authenticates itself and its clients. A transport rejects a type that it does not
 * know. Types may be added, also in other modules of Gannet. Only implemented by Gannet; methods
 * may be added.
 */
public interface ServerCredentials {
  /** Whether clients have to present certificates. */
  enum ClientAuth {
    NONE,
    /** A client may present a certificate; it must be valid if it does. */
    OPTIONAL,
    /** A client without a valid certificate is rejected. */
    REQUIRE
  }

  /** No TLS. */
  final class Insecure implements ServerCredentials {
    private static final Insecure INSECURE = new Insecure();

    private Insecure() {}

    @Override
    public String toString() {
      return "insecure";
    }
  }

  /** TLS. Immutable. */
  final class Tls implements ServerCredentials {
    private static final Pattern SERVER_NAME =
        Pattern.compile("(\\*\\.)?[a-z0-9_-]+(\\.[a-z0-9_-]+)*");

    private final TlsIdentity identity;
    private final Map<String, TlsIdentity> identities;
    private final ClientAuth clientAuth;
    private final @Nullable TlsTrust clientTrust;
    private final TlsTerms terms;

    private Tls(
        TlsIdentity identity,
        Map<String, TlsIdentity> identities,
        ClientAuth clientAuth,
        @Nullable TlsTrust clientTrust,
        TlsTerms terms) {
      this.identity = Objects.requireNonNull(identity, "identity");
      this.identities = identities;
      this.clientAuth = Objects.requireNonNull(clientAuth, "clientAuth");
      this.clientTrust = clientTrust;
      this.terms = terms;
    }

    /** Asks clients for certificates of these certificate authorities. */
    public Tls withClientAuth(ClientAuth clientAuth, Pem trust) {
      return withClientAuth(clientAuth, TlsTrust.of(trust));
    }

    /** Asks clients for certificates that this object trusts. */
    public Tls withClientAuth(ClientAuth clientAuth, TlsTrust trust) {
      Objects.requireNonNull(trust, "trust");
      return new Tls(identity, identities, clientAuth, trust, terms);
    }

    /**
     * Presents another identity to clients that request this server name (SNI, RFC 6066 §3).
     * Clients that request no known name get the {@linkplain #identity first one}.
     *
     * @param serverName a DNS name; {@code *.example.com} matches all names with one more label
     * @throws IllegalArgumentException if it is not a DNS name
     */
    public Tls withIdentity(String serverName, TlsIdentity identity) {
      String name = serverName.toLowerCase(Locale.ROOT);
      if (!SERVER_NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "not a DNS name, optionally with *. in front: '" + serverName + "'");
      }
      Map<String, TlsIdentity> more = new LinkedHashMap<>(identities);
      more.put(name, Objects.requireNonNull(identity, "identity"));
      return new Tls(
          this.identity, Collections.unmodifiableMap(more), clientAuth, clientTrust, terms);
    }

    /**
     * Uses only these TLS versions: {@code "TLSv1.3"}, {@code "TLSv1.2"}. By default both are used;
     * HTTP/2 allows no older ones (RFC 9113 §9.2). The start of the server rejects versions that
     * the transport does not support.
     *
     * @throws IllegalArgumentException if none is given
     */
    public Tls withProtocols(String... versions) {
      return new Tls(identity, identities, clientAuth, clientTrust, terms.withProtocols(versions));
    }

    /**
     * Uses only these cipher suites, the first one preferred, by their names in the standard:
     * {@code "TLS_AES_256_GCM_SHA384"}. By default all suites that the transport supports are used.
     * The start of the server rejects suites that it does not support, among them all that HTTP/2
     * prohibits (RFC 9113 §9.2.2), and a {@linkplain #withProtocols version} without a suite.
     *
     * @throws IllegalArgumentException if none is given
     */
    public Tls withCipherSuites(String... suites) {
      return new Tls(identity, identities, clientAuth, clientTrust, terms.withCipherSuites(suites));
    }

    /** The identity that the server presents by default. */
    public TlsIdentity identity() {
      return identity;
    }

    /** The identities for requested server names, by name in lower case. */
    public Map<String, TlsIdentity> identities() {
      return identities;
    }

    /** Whether clients have to present certificates. */
    public ClientAuth clientAuth() {
      return clientAuth;
    }

    /**
     * The trusted certificates of clients; empty without {@link #withClientAuth(ClientAuth,
     * TlsTrust) withClientAuth}: clients are then not asked for a certificate.
     */
    public Optional<TlsTrust> clientTrust() {
      return Optional.ofNullable(clientTrust);
    }

    /** The TLS versions that are used; empty means all that HTTP/2 allows. */
    public List<String> protocols() {
      return terms.protocols();
    }

    /** The cipher suites that are used, the first one preferred; empty means the default ones. */
    public List<String> cipherSuites() {
      return terms.cipherSuites();
    }

    @Override
    public String toString() {
      return "TLS";
    }
  }

  /** No TLS: anyone on the network path can read and change the data. */
  static ServerCredentials insecure() {
    return Insecure.INSECURE;
  }

  /** TLS without client certificates. */
  static Tls tls(TlsIdentity identity) {
    return new Tls(identity, Map.of(), ClientAuth.NONE, null, TlsTerms.DEFAULT);
  }
}
