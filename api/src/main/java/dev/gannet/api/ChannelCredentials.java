package dev.gannet.api;

import java.util.Optional;

/** How a channel makes sure of its server, and shows itself. */
public sealed interface ChannelCredentials {
  /** No TLS: anyone on the way can read and change what is said. */
  record Insecure() implements ChannelCredentials {}

  /**
   * TLS. The server's certificate must be signed by someone trusted and name the host that was
   * called.
   *
   * @param trust certificates of those who may sign; empty means the JVM's own trust store
   * @param identity shown to servers that ask for one (mutual TLS)
   */
  record Tls(Optional<Pem> trust, Optional<TlsIdentity> identity) implements ChannelCredentials {
    /** Trusts these signers alone. */
    public Tls withTrust(Pem certificates) {
      return new Tls(Optional.of(certificates), identity);
    }

    /** Shows this identity to servers that ask for one. */
    public Tls withIdentity(TlsIdentity identity) {
      return new Tls(trust, Optional.of(identity));
    }
  }

  static ChannelCredentials insecure() {
    return new Insecure();
  }

  /** TLS with the JVM's trust store and no identity. */
  static Tls tls() {
    return new Tls(Optional.empty(), Optional.empty());
  }
}
