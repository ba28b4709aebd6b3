package dev.gannet.transport.netty;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.TlsIdentity;
import dev.gannet.api.TlsTrust;
import dev.gannet.transport.Scheduler;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509KeyManager;

/**
 * Converts credentials to Netty's TLS contexts: versions and cipher suites by {@link
 * TlsParameters}, only ALPN {@code h2}, and host names always checked. Uses OpenSSL if tcnative is
 * present, otherwise the JDK's TLS.
 */
final class TlsContexts {
  /** The only protocol, on which both sides must agree (RFC 9113 §3.2). */
  static final String ALPN = "h2";

  private TlsContexts() {}

  static SslContext client(ChannelCredentials.Tls credentials, SslProvider provider) {
    return understood(
        "the channel's TLS credentials cannot be used",
        () -> {
          TlsParameters terms =
              TlsParameters.of(credentials.protocols(), credentials.cipherSuites(), provider);
          SslContextBuilder builder =
              SslContextBuilder.forClient().endpointIdentificationAlgorithm("HTTPS");
          credentials.trust().ifPresent(trust -> trust(trust, builder));
          credentials.identity().ifPresent(identity -> show(identity, builder));
          return build(builder, terms, provider);
        });
  }

  private static void trust(TlsTrust trust, SslContextBuilder builder) {
    trust
        .signers()
        .ifPresent(it ->
            builder.trustManager(
                PemText.of(it, "the list of trusted certificates").certificates()));
    trust.trustManager().ifPresent(builder::trustManager);
  }

  private static void show(TlsIdentity identity, SslContextBuilder builder) {
    if (identity.keyManager().isPresent()) {
      builder.keyManager(identity.keyManager().get());
    } else {
      CertifiedKey own = CertifiedKey.of(identity);
      builder.keyManager(own.key(), own.chain());
    }
  }

  static SslContext server(ServerCredentials.Tls credentials, SslProvider provider) {
    return understood(
        "the server's TLS credentials cannot be used",
        () -> {
          TlsParameters terms =
              TlsParameters.of(credentials.protocols(), credentials.cipherSuites(), provider);
          SslContextBuilder builder =
              builderFor(credentials).clientAuth(clientAuth(credentials.clientAuth()));
          credentials.clientTrust().ifPresent(trust -> trust(trust, builder));
          return build(builder, terms, provider);
        });
  }

  private static SslContextBuilder builderFor(ServerCredentials.Tls credentials) {
    TlsIdentity identity = credentials.identity();
    if (!credentials.identities().isEmpty()) {
      return SslContextBuilder.forServer(bySni(credentials));
    }
    if (identity.keyManager().isPresent()) {
      return SslContextBuilder.forServer(identity.keyManager().get());
    }
    CertifiedKey own = CertifiedKey.of(identity);
    return SslContextBuilder.forServer(own.key(), own.chain());
  }

  private static SniKeys bySni(ServerCredentials.Tls credentials) {
    List<X509KeyManager> identities = new ArrayList<>();
    identities.add(keys(credentials.identity()));
    Map<String, Integer> byName = new HashMap<>();
    credentials
        .identities()
        .forEach((name, identity) -> {
          byName.put(name, identities.size());
          identities.add(keys(identity));
        });
    return new SniKeys(identities, byName);
  }

  private static X509KeyManager keys(TlsIdentity identity) {
    return identity.keyManager().orElseGet(() -> CertifiedKey.of(identity).keyManager());
  }

  /** The PEM files and texts of the credentials. */
  static List<Pem> pems(ChannelCredentials.Tls credentials) {
    List<Pem> all = new ArrayList<>();
    credentials.trust().flatMap(TlsTrust::signers).ifPresent(all::add);
    credentials.identity().ifPresent(identity -> addPems(identity, all));
    return all;
  }

  static List<Pem> pems(ServerCredentials.Tls credentials) {
    List<Pem> all = new ArrayList<>();
    credentials.clientTrust().flatMap(TlsTrust::signers).ifPresent(all::add);
    addPems(credentials.identity(), all);
    credentials.identities().values().forEach(identity -> addPems(identity, all));
    return all;
  }

  private static void addPems(TlsIdentity identity, List<Pem> all) {
    identity.certificateChain().ifPresent(all::add);
    identity.privateKey().ifPresent(all::add);
  }

  /** Creates a context from PEM texts. */
  private interface Making {
    SslContext make() throws SSLException;
  }

  /** Any exception of the PEM readers is reported as a fault of the PEM text. */
  private static SslContext understood(String complaint, Making making) {
    try {
      return making.make();
    } catch (SSLException | IllegalArgumentException e) {
      throw new IllegalArgumentException(complaint + ": " + e.getMessage(), e);
    }
  }

  private static SslContext build(
      SslContextBuilder builder, TlsParameters terms, SslProvider provider) throws SSLException {
    SslContext made =
        builder
            .sslProvider(provider)
            .protocols(terms.protocols())
            .ciphers(terms.suites(), SupportedCipherSuiteFilter.INSTANCE)
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    onNoCommonProtocol(provider),
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    ALPN))
            .build();
    terms.checkUsed(made.cipherSuites());
    return made;
  }

  /**
   * What a server does if a client offers only other protocols: RFC 7301 §3.2 requires the alert
   * {@code no_application_protocol}. Netty cannot make OpenSSL send it; there the handshake
   * succeeds without a protocol, and {@link Handshake} closes the connection.
   */
  private static SelectorFailureBehavior onNoCommonProtocol(SslProvider provider) {
    return provider == SslProvider.JDK
        ? SelectorFailureBehavior.FATAL_ALERT
        : SelectorFailureBehavior.NO_ADVERTISE;
  }

  /** OpenSSL if it is present, otherwise the JDK's TLS. */
  static SslProvider preferred() {
    return OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;
  }

  private static ClientAuth clientAuth(ServerCredentials.ClientAuth wanted) {
    return switch (wanted) {
      case NONE -> ClientAuth.NONE;
      case OPTIONAL -> ClientAuth.OPTIONAL;
      case REQUIRE -> ClientAuth.REQUIRE;
    };
  }

  /** The context of the credentials; empty for plaintext. */
  static Optional<WatchedTls> of(
      ChannelCredentials credentials, Supplier<SslProvider> provider, Scheduler scheduler) {
    if (credentials instanceof ChannelCredentials.Tls tls) {
      SslProvider by = provider.get();
      return Optional.of(
          WatchedTls.of("the channel's", pems(tls), () -> client(tls, by), scheduler));
    }
    if (credentials instanceof ChannelCredentials.Insecure) {
      return Optional.empty();
    }
    throw unknown("channel", credentials);
  }

  static Optional<WatchedTls> of(
      ServerCredentials credentials, Supplier<SslProvider> provider, Scheduler scheduler) {
    if (credentials instanceof ServerCredentials.Tls tls) {
      SslProvider by = provider.get();
      return Optional.of(
          WatchedTls.of("the server's", pems(tls), () -> server(tls, by), scheduler));
    }
    if (credentials instanceof ServerCredentials.Insecure) {
      return Optional.empty();
    }
    throw unknown("server", credentials);
  }

  /** Unknown credentials are never treated as plaintext. */
  private static IllegalArgumentException unknown(String side, Object credentials) {
    return new IllegalArgumentException(
        "the "
            + side
            + "'s credentials have a type that this transport does not support: "
            + credentials.getClass().getName());
  }
}
