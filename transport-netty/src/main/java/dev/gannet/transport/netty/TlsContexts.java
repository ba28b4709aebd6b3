package dev.gannet.transport.netty;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.TlsIdentity;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;

/**
 * Credentials as Netty's TLS contexts: TLS 1.3 and 1.2 with the suites that RFC 9113 §9.2.2 leaves,
 * ALPN {@code h2} and nothing else, host names always checked. OpenSSL where tcnative is present,
 * the JDK's TLS elsewhere.
 */
final class TlsContexts {
  /** The one protocol that both sides must agree on (RFC 9113 §3.2). */
  static final String ALPN = "h2";

  private static final List<String> SUITES =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  private TlsContexts() {}

  static SslContext client(ChannelCredentials.Tls credentials, SslProvider provider) {
    return understood(
        "the channel's TLS credentials cannot be used",
        () -> {
          SslContextBuilder builder =
              SslContextBuilder.forClient().endpointIdentificationAlgorithm("HTTPS");
          credentials.trust().ifPresent(trust -> builder.trustManager(trust.open()));
          credentials.identity().ifPresent(identity -> show(identity, builder));
          return build(builder, provider);
        });
  }

  private static void show(TlsIdentity identity, SslContextBuilder builder) {
    builder.keyManager(
        identity.certificateChain().open(), PrivateKeys.pkcs8(identity.privateKey()));
  }

  static SslContext server(ServerCredentials.Tls credentials, SslProvider provider) {
    return understood(
        "the server's TLS credentials cannot be used",
        () -> {
          SslContextBuilder builder =
              builderFor(credentials.identity()).clientAuth(clientAuth(credentials.clientAuth()));
          credentials.clientTrust().ifPresent(trust -> builder.trustManager(trust.open()));
          return build(builder, provider);
        });
  }

  private static SslContextBuilder builderFor(TlsIdentity identity) {
    return SslContextBuilder.forServer(
        identity.certificateChain().open(), PrivateKeys.pkcs8(identity.privateKey()));
  }

  /** What makes a context out of somebody's PEM. */
  private interface Making {
    SslContext make() throws SSLException;
  }

  /** Whatever the PEM readers throw is a fault of the PEM, and is told as one. */
  private static SslContext understood(String complaint, Making making) {
    try {
      return making.make();
    } catch (SSLException | IllegalArgumentException e) {
      throw new IllegalArgumentException(complaint + ": " + e.getMessage(), e);
    }
  }

  private static SslContext build(SslContextBuilder builder, SslProvider provider)
      throws SSLException {
    return builder
        .sslProvider(provider)
        .protocols("TLSv1.3", "TLSv1.2")
        .ciphers(SUITES, SupportedCipherSuiteFilter.INSTANCE)
        .applicationProtocolConfig(
            new ApplicationProtocolConfig(
                ApplicationProtocolConfig.Protocol.ALPN,
                onNoCommonProtocol(provider),
                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                ALPN))
        .build();
  }

  /**
   * What a server does about a client that offers other protocols alone: RFC 7301 §3.2 wants the
   * alert {@code no_application_protocol}. Netty cannot have OpenSSL send it; there the handshake
   * succeeds without a protocol, and {@link Handshake} closes the connection.
   */
  private static SelectorFailureBehavior onNoCommonProtocol(SslProvider provider) {
    return provider == SslProvider.JDK
        ? SelectorFailureBehavior.FATAL_ALERT
        : SelectorFailureBehavior.NO_ADVERTISE;
  }

  /** OpenSSL where it is present, the JDK's TLS elsewhere. */
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

  /** The context for plaintext: none. */
  static Optional<SslContext> of(ChannelCredentials credentials, Supplier<SslProvider> provider) {
    if (credentials instanceof ChannelCredentials.Tls tls) {
      return Optional.of(client(tls, provider.get()));
    }
    if (credentials instanceof ChannelCredentials.Insecure) {
      return Optional.empty();
    }
    throw unknown("channel", credentials);
  }

  static Optional<SslContext> of(ServerCredentials credentials, Supplier<SslProvider> provider) {
    if (credentials instanceof ServerCredentials.Tls tls) {
      return Optional.of(server(tls, provider.get()));
    }
    if (credentials instanceof ServerCredentials.Insecure) {
      return Optional.empty();
    }
    throw unknown("server", credentials);
  }

  /** What is not known is never taken for plaintext. */
  private static IllegalArgumentException unknown(String side, Object credentials) {
    return new IllegalArgumentException(
        "the "
            + side
            + "'s credentials are of a kind that this transport does not know: "
            + credentials.getClass().getName());
  }
}
