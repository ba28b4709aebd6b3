package dev.gannet.api;

import java.util.Optional;

/** How a server shows itself, and makes sure of its clients. */
public sealed interface ServerCredentials {
  /** What a server asks of its clients' certificates. */
  enum ClientAuth {
    NONE,
    /** A client may show a certificate; one that is shown must be good. */
    OPTIONAL,
    /** A client without a good certificate is turned away. */
    REQUIRE
  }

  /** No TLS. */
  record Insecure() implements ServerCredentials {}

  /**
   * TLS.
   *
   * @param clientTrust certificates of those who may sign clients' certificates; empty means the
   *     JVM's trust store
   */
  record Tls(TlsIdentity identity, ClientAuth clientAuth, Optional<Pem> clientTrust)
      implements ServerCredentials {
    /** Asks clients for certificates by these signers. */
    public Tls withClientAuth(ClientAuth clientAuth, Pem trust) {
      return new Tls(identity, clientAuth, Optional.of(trust));
    }
  }

  static ServerCredentials insecure() {
    return new Insecure();
  }

  /** TLS that asks clients for nothing. */
  static Tls tls(TlsIdentity identity) {
    return new Tls(identity, ClientAuth.NONE, Optional.empty());
  }
}
