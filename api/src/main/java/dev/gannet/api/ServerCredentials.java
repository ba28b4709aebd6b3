package dev.gannet.api;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a server shows itself, and makes sure of its clients. Kinds may be added, here and elsewhere:
 * a transport refuses one that it does not know.
 */
public interface ServerCredentials {
  /** What a server asks of its clients' certificates. */
  enum ClientAuth {
    NONE,
    /** A client may show a certificate; one that is shown must be good. */
    OPTIONAL,
    /** A client without a good certificate is turned away. */
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
    private final TlsIdentity identity;
    private final ClientAuth clientAuth;
    private final @Nullable Pem clientTrust;

    private Tls(TlsIdentity identity, ClientAuth clientAuth, @Nullable Pem clientTrust) {
      this.identity = Objects.requireNonNull(identity, "identity");
      this.clientAuth = Objects.requireNonNull(clientAuth, "clientAuth");
      this.clientTrust = clientTrust;
    }

    /** Asks clients for certificates by these signers. */
    public Tls withClientAuth(ClientAuth clientAuth, Pem trust) {
      return new Tls(identity, clientAuth, Objects.requireNonNull(trust, "trust"));
    }

    /** What the server shows to its clients. */
    public TlsIdentity identity() {
      return identity;
    }

    /** What it asks of its clients' certificates. */
    public ClientAuth clientAuth() {
      return clientAuth;
    }

    /** Who may sign clients' certificates; empty means the JVM's own trust store. */
    public Optional<Pem> clientTrust() {
      return Optional.ofNullable(clientTrust);
    }

    @Override
    public String toString() {
      return "TLS";
    }
  }

  static ServerCredentials insecure() {
    return Insecure.INSECURE;
  }

  /** TLS that asks clients for nothing. */
  static Tls tls(TlsIdentity identity) {
    return new Tls(identity, ClientAuth.NONE, null);
  }
}
