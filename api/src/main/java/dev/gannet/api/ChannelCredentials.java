package dev.gannet.api;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a channel authenticates its server and itself. A transport rejects a type that it does not
 * know, and call credentials are only sent if the transport knows that the type protects them.
 * Types may be added, also in other modules of Gannet. Only implemented by Gannet; methods may be
 * added.
 */
public interface ChannelCredentials {
  /** No TLS: anyone on the network path can read and change the data. */
  final class Insecure implements ChannelCredentials {
    private static final Insecure INSECURE = new Insecure();

    private Insecure() {}

    @Override
    public String toString() {
      return "insecure";
    }
  }

  /**
   * TLS. The server's certificate must be signed by a trusted authority and contain the name of the
   * host that was called. Immutable.
   */
  final class Tls implements ChannelCredentials {
    private static final Tls OF_JVM = new Tls(null, null);

    private final @Nullable TlsTrust trust;
    private final @Nullable TlsIdentity identity;

    private Tls(@Nullable TlsTrust trust, @Nullable TlsIdentity identity) {
      this.trust = trust;
      this.identity = identity;
    }

    /** Trusts only these certificate authorities. */
    public Tls withTrust(Pem certificates) {
      return withTrust(TlsTrust.of(certificates));
    }

    /** Trusts only what this object trusts. */
    public Tls withTrust(TlsTrust trust) {
      return new Tls(Objects.requireNonNull(trust, "trust"), identity);
    }

    /** Presents this identity to servers that ask for one (mutual TLS). */
    public Tls withIdentity(TlsIdentity identity) {
      return new Tls(trust, Objects.requireNonNull(identity, "identity"));
    }

    /** The trusted certificates; empty means the JVM's own trust store. */
    public Optional<TlsTrust> trust() {
      return Optional.ofNullable(trust);
    }

    /** The identity that is presented to servers that ask for it. */
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

    /** The credentials of the channel alone. */
    public ChannelCredentials channelCredentials() {
      return channelCredentials;
    }

    /** The credentials of all its calls. */
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
   * The same credentials, with call credentials for all calls of the channel, which are added after
   * existing ones.
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
