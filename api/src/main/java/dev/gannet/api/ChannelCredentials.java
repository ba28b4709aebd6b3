package dev.gannet.api;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a channel makes sure of its server, and shows itself. Kinds may be added, here and elsewhere:
 * a transport refuses one that it does not know.
 */
public interface ChannelCredentials {
  /** No TLS: anyone on the way can read and change what is said. */
  final class Insecure implements ChannelCredentials {
    private static final Insecure INSECURE = new Insecure();

    private Insecure() {}

    @Override
    public String toString() {
      return "insecure";
    }
  }

  /**
   * TLS. The server's certificate must be signed by someone trusted and name the host that was
   * called. Immutable.
   */
  final class Tls implements ChannelCredentials {
    private static final Tls OF_JVM = new Tls(null, null);

    private final @Nullable TlsTrust trust;
    private final @Nullable TlsIdentity identity;

    private Tls(@Nullable TlsTrust trust, @Nullable TlsIdentity identity) {
      this.trust = trust;
      this.identity = identity;
    }

    /** Trusts these signers alone. */
    public Tls withTrust(Pem certificates) {
      return withTrust(TlsTrust.of(certificates));
    }

    /** Trusts whom that trusts, and nobody else. */
    public Tls withTrust(TlsTrust trust) {
      return new Tls(Objects.requireNonNull(trust, "trust"), identity);
    }

    /** Shows this identity to servers that ask for one (mutual TLS). */
    public Tls withIdentity(TlsIdentity identity) {
      return new Tls(trust, Objects.requireNonNull(identity, "identity"));
    }

    /** Whose certificates are accepted; empty means the JVM's own trust store. */
    public Optional<TlsTrust> trust() {
      return Optional.ofNullable(trust);
    }

    /** What is shown to servers that ask for it. */
    public Optional<TlsIdentity> identity() {
      return Optional.ofNullable(identity);
    }

    @Override
    public String toString() {
      return "TLS";
    }
  }

  /** Credentials of a channel, and of its calls. Immutable. */
  final class Composite implements ChannelCredentials {
    private final ChannelCredentials channelCredentials;
    private final CallCredentials callCredentials;

    private Composite(ChannelCredentials channelCredentials, CallCredentials callCredentials) {
      this.channelCredentials = channelCredentials;
      this.callCredentials = Objects.requireNonNull(callCredentials, "callCredentials");
    }

    /** Those of the channel alone. */
    public ChannelCredentials channelCredentials() {
      return channelCredentials;
    }

    /** Those of all its calls. */
    public CallCredentials callCredentials() {
      return callCredentials;
    }

    @Override
    public ChannelCredentials withCallCredentials(CallCredentials more) {
      return new Composite(channelCredentials, callCredentials.and(more));
    }

    @Override
    public String toString() {
      return channelCredentials + " with call credentials";
    }
  }

  /**
   * The same, and all calls of the channel have these call credentials, behind those that they have
   * by now.
   */
  default ChannelCredentials withCallCredentials(CallCredentials callCredentials) {
    return new Composite(this, callCredentials);
  }

  static ChannelCredentials insecure() {
    return Insecure.INSECURE;
  }

  /** TLS with the JVM's trust store and no identity. */
  static Tls tls() {
    return Tls.OF_JVM;
  }
}
