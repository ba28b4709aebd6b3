package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.Status;
import dev.gannet.api.TlsIdentity;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.client.ManagedChannel;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** TLS versions and cipher suites that credentials choose, with both TLS libraries. */
@Timeout(60)
final class TlsChoicesTest {
  private static final String TLS_1_3 = "TLSv1.3";
  private static final String TLS_1_2 = "TLSv1.2";
  private static final String AES_128 = "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256";
  private static final String AES_256 = "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384";
  private static final String[] ALL_OF_1_3 = {
    "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"
  };
  private static final String OLD = "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256";

  private static ServerCredentials.Tls server() throws IOException {
    return ServerCredentials.tls(
        TlsIdentity.of(TlsFiles.pem("localhost.pem"), TlsFiles.pem("localhost.key")));
  }

  private static ChannelCredentials.Tls client() throws IOException {
    return ChannelCredentials.tls().withTrust(TlsFiles.pem("localhost.pem"));
  }

  /** The session of a call that succeeds. */
  private static SSLSession session(
      SslProvider provider, ServerCredentials server, ChannelCredentials client)
      throws IOException {
    try (TlsCalls calls = new TlsCalls(provider, server);
        ManagedChannel channel = calls.channel(client)) {
      return BlockingCalls.response(channel, EchoService.UNARY, CallOptions.DEFAULT, new byte[1])
          .sslSession()
          .orElseThrow();
    }
  }

  /** The text of the status of a call that finds no connection. */
  private static String failure(
      SslProvider provider, ServerCredentials server, ChannelCredentials client) throws Exception {
    try (TlsCalls calls = new TlsCalls(provider, server)) {
      Status status = calls.call(client);
      assertThat(status.code()).isEqualTo(Status.Code.UNAVAILABLE);
      return status.description().orElseThrow();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void theNewestVersionIsTheDefault(SslProvider provider) throws Exception {
    assertThat(session(provider, server(), client()).getProtocol()).isEqualTo(TLS_1_3);
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void eitherSideChoosesTheVersion(SslProvider provider) throws Exception {
    assertThat(session(provider, server().withProtocols(TLS_1_2), client()).getProtocol())
        .isEqualTo(TLS_1_2);
    assertThat(session(provider, server(), client().withProtocols(TLS_1_2)).getProtocol())
        .isEqualTo(TLS_1_2);
    assertThat(
            session(
                    provider,
                    server().withProtocols(TLS_1_3),
                    client().withProtocols(TLS_1_3, TLS_1_2))
                .getProtocol())
        .isEqualTo(TLS_1_3);
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void aServerOfOneVersionRefusesAClientOfAnother(SslProvider provider) throws Exception {
    assertThat(failure(provider, server().withProtocols(TLS_1_3), client().withProtocols(TLS_1_2)))
        .contains("have no TLS version")
        .contains("withProtocols");
    assertThat(failure(provider, server().withProtocols(TLS_1_2), client().withProtocols(TLS_1_3)))
        .contains("have no TLS version")
        .contains("withProtocols");
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void eitherSideChoosesTheSuiteAndSoTheVersion(SslProvider provider) throws Exception {
    SSLSession byServer = session(provider, server().withCipherSuites(AES_256), client());
    assertThat(byServer.getCipherSuite()).isEqualTo(AES_256);
    assertThat(byServer.getProtocol()).isEqualTo(TLS_1_2);
    SSLSession byClient = session(provider, server(), client().withCipherSuites(AES_256));
    assertThat(byClient.getCipherSuite()).isEqualTo(AES_256);
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void theOrderOfTheServerDecides(SslProvider provider) throws Exception {
    ChannelCredentials client = client().withCipherSuites(AES_128, AES_256);
    assertThat(
            session(provider, server().withCipherSuites(AES_256, AES_128), client).getCipherSuite())
        .isEqualTo(AES_256);
    assertThat(
            session(provider, server().withCipherSuites(AES_128, AES_256), client).getCipherSuite())
        .isEqualTo(AES_128);
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void allSuitesOfTheNewestVersionCanBeChosen(SslProvider provider) throws Exception {
    assertThat(session(provider, server().withCipherSuites(ALL_OF_1_3), client()).getCipherSuite())
        .isIn((Object[]) ALL_OF_1_3);
    assertThat(
            failure(
                provider, server().withCipherSuites(ALL_OF_1_3), client().withProtocols(TLS_1_2)))
        .contains("have no TLS version");
  }

  @Test
  void theJdkUsesOneSuiteOfTheNewestVersion() throws Exception {
    SSLSession session =
        session(SslProvider.JDK, server().withCipherSuites(ALL_OF_1_3[1]), client());
    assertThat(session.getCipherSuite()).isEqualTo(ALL_OF_1_3[1]);
  }

  @Test
  void boringSslDoesNotChooseAmongTheSuitesOfTheNewestVersion() throws Exception {
    ServerCredentials one = server().withCipherSuites(ALL_OF_1_3[1]);
    assertThatThrownBy(() -> new TlsCalls(SslProvider.OPENSSL, one).close())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("BoringSSL")
        .hasMessageContaining("choose all of them (TLS_AES_128_GCM_SHA256, TLS_AES_256_GCM_SHA384,")
        .hasMessageContaining("withProtocols(\"TLSv1.2\")");
    String[] both = {ALL_OF_1_3[1], AES_256};
    assertThat(
            session(
                    SslProvider.OPENSSL,
                    server().withProtocols(TLS_1_2).withCipherSuites(both),
                    client())
                .getCipherSuite())
        .isEqualTo(AES_256);
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void unsupportedChoicesAreRefusedWithTheSupportedOnes(SslProvider provider) throws Exception {
    ServerCredentials oldVersion = server().withProtocols(TLS_1_3, "TLSv1.1");
    assertThatThrownBy(() -> new TlsCalls(provider, oldVersion).close())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the server's TLS credentials cannot be used: the TLS version 'TLSv1.1' is not"
                + " supported; supported are TLSv1.3, TLSv1.2");
    try (TlsCalls calls = new TlsCalls(provider, server())) {
      assertThatThrownBy(() -> calls.channel(client().withCipherSuites(OLD, AES_128)).close())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(
              "the channel's TLS credentials cannot be used: the cipher suite '"
                  + OLD
                  + "' is not supported; supported are TLS_AES_128_GCM_SHA256, ")
          .hasMessageContaining(AES_128);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void aVersionNeedsASuite(SslProvider provider) throws Exception {
    ServerCredentials mixed = server().withProtocols(TLS_1_3, TLS_1_2).withCipherSuites(AES_256);
    assertThatThrownBy(() -> new TlsCalls(provider, mixed).close())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("TLSv1.3 has none of the chosen cipher suites; it has TLS_AES_128");
  }

  @Test
  void atLeastOneVersionAndSuiteMustBeChosen() throws Exception {
    assertThatThrownBy(() -> server().withProtocols())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("at least one TLS version is needed");
    assertThatThrownBy(() -> client().withCipherSuites())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("at least one cipher suite is needed");
  }
}
