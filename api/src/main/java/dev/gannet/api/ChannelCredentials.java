package dev.gannet.api;

import java.util.List;
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
    private static final Tls OF_JVM = new Tls(null, null, TlsTerms.DEFAULT);

    private final @Nullable TlsTrust trust;
    private final @Nullable TlsIdentity identity;
    private final TlsTerms terms;

    private Tls(@Nullable TlsTrust trust, @Nullable TlsIdentity identity, TlsTerms terms) {
      this.trust = trust;
      this.identity = identity;
      this.terms = terms;
    }

    /** Trusts only these certificate authorities. */
    public Tls withTrust(Pem certificates) {
      return withTrust(TlsTrust.of(certificates));
    }

    /** Trusts only what this object trusts. */
    public Tls withTrust(TlsTrust trust) {
      return new Tls(Objects.requireNonNull(trust, "trust"), identity, terms);
    }

    /** Presents this identity to servers that ask for one (mutual TLS). */
    public Tls withIdentity(TlsIdentity identity) {
      return new Tls(trust, Objects.requireNonNull(identity, "identity"), terms);
    }

    /**
     * Uses only these TLS versions: {@code "TLSv1.3"}, {@code "TLSv1.2"}. By default both are used;
     * HTTP/2 allows no older ones (RFC 9113 §9.2). The build of the channel rejects versions that
     * the transport does not support.
     *
     * @throws IllegalArgumentException if none is given
     */
    public Tls withProtocols(String... versions) {
      return new Tls(trust, identity, terms.withProtocols(versions));
    }

    /**
     * Uses only these cipher suites, the first one preferred, by their names in the standard:
     * {@code "TLS_AES_256_GCM_SHA384"}. By default all suites that the transport supports are used.
     * The build of the channel rejects suites that it does not support, among them all that HTTP/2
     * prohibits (RFC 9113 §9.2.2), and a {@linkplain #withProtocols version} without a suite.
     *
     * @throws IllegalArgumentException if none is given
     */
    public Tls withCipherSuites(String... suites) {
      return new Tls(trust, identity, terms.withCipherSuites(suites));
    }

    /** The trusted certificates; empty means the JVM's own trust store. */
    public Optional<TlsTrust> trust() {
      return Optional.ofNullable(trust);
    }

    /** The identity that is presented to servers that ask for it. */
    public Optional<TlsIdentity> identity() {
      return Optional.ofNullable(identity);
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

  /**
   * No TLS: {@link Insecure}. Calls with credentials of their own fail, unless these are {@link
   * CallCredentials#overPlaintext}.
   */
  static ChannelCredentials insecure() {
    return Insecure.INSECURE;
  }

  /** TLS with the JVM's trust store and no identity. */
  static Tls tls() {
    return Tls.OF_JVM;
  }
}
