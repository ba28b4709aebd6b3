package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerCredentials.ClientAuth;
import dev.gannet.api.Status;
import dev.gannet.api.TlsIdentity;
import dev.gannet.client.ManagedChannel;
import io.netty.handler.ssl.SslProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** PEM files are read again while servers and channels use them, and bad ones are not used. */
@Timeout(60)
final class TlsReloadTest {
  private static final Logger LOG = Logger.getLogger(WatchedTls.class.getName());
  private static final Duration SOON = Duration.ofMillis(100);

  @TempDir Path directory;

  private final Lines lines = new Lines();
  private Path chain = Path.of("");
  private Path key = Path.of("");

  /** What was logged, in its order. */
  private static final class Lines extends Handler {
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    @Override
    public void publish(LogRecord line) {
      said.add(new SimpleFormatter().formatMessage(line));
    }

    String next() throws InterruptedException {
      String line = said.poll(30, TimeUnit.SECONDS);
      if (line == null) {
        throw new AssertionError("nothing was logged");
      }
      return line;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void setUp() throws Exception {
    LOG.addHandler(lines);
    chain = TlsFiles.put("localhost.pem", directory.resolve("server.pem"));
    key = TlsFiles.put("localhost.key", directory.resolve("server.key"));
  }

  @AfterEach
  void tearDown() {
    LOG.removeHandler(lines);
  }

  private TlsIdentity reloaded() {
    return TlsIdentity.of(Pem.reloaded(chain, SOON), Pem.reloaded(key, SOON));
  }

  private static ChannelCredentials trusting(String certificate) throws Exception {
    return ChannelCredentials.tls().withTrust(TlsFiles.pem(certificate));
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void newConnectionsSeeTheNewCertificateAndOldOnesStay(SslProvider provider) throws Exception {
    try (TlsCalls calls = new TlsCalls(provider, ServerCredentials.tls(reloaded()));
        ManagedChannel old = calls.channel(trusting("localhost.pem"))) {
      assertThat(Caller.call(old, new byte[1])).isEqualTo(Status.OK);
      TlsFiles.put("renewed.key", key);
      TlsFiles.put("renewed.pem", chain);
      String last = lines.next();
      if (last.contains("is not the key")) { // it was seen between the two
        last = lines.next();
      }
      assertThat(last).isEqualTo("the server's TLS files have changed; new connections use them");
      assertThat(calls.call(trusting("renewed.pem"))).isEqualTo(Status.OK);
      assertThat(calls.call(trusting("localhost.pem")).toString())
          .contains("the server's certificate is not accepted");
      assertThat(Caller.call(old, new byte[1])).isEqualTo(Status.OK);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void anEncryptedKeyIsReadAgainWithItsPassword(SslProvider provider) throws Exception {
    TlsFiles.put("localhost.aes.key", key);
    TlsIdentity identity =
        TlsIdentity.of(Pem.reloaded(chain, SOON), Pem.reloaded(key, SOON), "secret".toCharArray());
    try (TlsCalls calls = new TlsCalls(provider, ServerCredentials.tls(identity))) {
      assertThat(calls.call(trusting("localhost.pem"))).isEqualTo(Status.OK);
      TlsFiles.put("encrypted.key", key); // with another password
      assertThat(lines.next())
          .contains(key + " cannot be decrypted: the password is wrong, or the key is damaged");
      TlsFiles.put("renewed.pem", chain);
      TlsFiles.put("renewed.aes.key", key);
      String last = lines.next();
      while (!last.contains("new connections use them")) { // seen between the two
        last = lines.next();
      }
      assertThat(calls.call(trusting("renewed.pem"))).isEqualTo(Status.OK);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void aFileThatIsHalfWrittenIsNotUsed(SslProvider provider) throws Exception {
    try (TlsCalls calls = new TlsCalls(provider, ServerCredentials.tls(reloaded()))) {
      String whole = Files.readString(chain);
      Files.writeString(chain, whole.substring(0, whole.length() / 2));
      assertThat(lines.next())
          .isEqualTo(
              "the server's TLS files have changed but cannot be used; new connections"
                  + " use the previous ones: the server's TLS credentials cannot be used: "
                  + chain
                  + " has no certificate (-----BEGIN CERTIFICATE-----)");
      assertThat(calls.call(trusting("localhost.pem"))).isEqualTo(Status.OK);
      Files.writeString(chain, whole);
      assertThat(lines.next()).contains("new connections use them");
      assertThat(calls.call(trusting("localhost.pem"))).isEqualTo(Status.OK);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void aKeyThatDoesNotFitIsNotUsed(SslProvider provider) throws Exception {
    try (TlsCalls calls = new TlsCalls(provider, ServerCredentials.tls(reloaded()))) {
      TlsFiles.put("renewed.key", key);
      assertThat(lines.next())
          .contains(key + " is not the key of the first certificate in " + chain)
          .contains("(subject CN=");
      assertThat(calls.call(trusting("localhost.pem"))).isEqualTo(Status.OK);
      Files.delete(key);
      assertThat(lines.next()).endsWith(key + " cannot be read: there is no such file");
      assertThat(calls.call(trusting("localhost.pem"))).isEqualTo(Status.OK);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void aChannelReloadsItsTrustedCertificates(SslProvider provider) throws Exception {
    Path trust = TlsFiles.put("renewed.pem", directory.resolve("trust.pem"));
    ChannelCredentials watching = ChannelCredentials.tls().withTrust(Pem.reloaded(trust, SOON));
    TlsIdentity identity =
        TlsIdentity.of(TlsFiles.pem("localhost.pem"), TlsFiles.pem("localhost.key"));
    try (TlsCalls calls = new TlsCalls(provider, ServerCredentials.tls(identity));
        ManagedChannel channel = calls.channel(watching)) {
      Caller first = Caller.begin(channel, EchoService.UNARY, new byte[1]);
      first.halfClose();
      assertThat(first.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
      TlsFiles.put("localhost.pem", trust);
      assertThat(lines.next()).startsWith("the channel's TLS files have changed; ");
      assertThat(Caller.call(channel, new byte[1])).isEqualTo(Status.OK);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void bothSidesReloadInMutualTls(SslProvider provider) throws Exception {
    Path trust = TlsFiles.put("localhost.pem", directory.resolve("trust.pem"));
    ServerCredentials ofServer =
        ServerCredentials.tls(
                TlsIdentity.of(TlsFiles.pem("localhost.pem"), TlsFiles.pem("localhost.key")))
            .withClientAuth(ClientAuth.REQUIRE, Pem.reloaded(trust, SOON));
    ChannelCredentials renewed =
        ChannelCredentials.tls()
            .withTrust(TlsFiles.pem("localhost.pem"))
            .withIdentity(TlsIdentity.of(TlsFiles.pem("renewed.pem"), TlsFiles.pem("renewed.key")));
    try (TlsCalls calls = new TlsCalls(provider, ofServer)) {
      assertThat(calls.call(renewed).code()).isEqualTo(Status.Code.UNAVAILABLE);
      TlsFiles.put("renewed.pem", trust);
      assertThat(lines.next()).startsWith("the server's TLS files have changed; ");
      assertThat(calls.call(renewed)).isEqualTo(Status.OK);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void aFileThatIsMissingFromTheBeginningIsAnError(SslProvider provider) throws Exception {
    Files.delete(chain);
    assertThatThrownBy(() -> new TlsCalls(provider, ServerCredentials.tls(reloaded())).close())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the server's TLS credentials cannot be used: "
                + chain
                + " cannot be read: there is no such file");
    assertThatThrownBy(() -> Pem.reloaded(chain, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Pem.reloaded(chain, Duration.ofNanos(1)).interval()).contains(SOON);
    assertThat(Pem.reloaded(chain)).hasToString("Pem(" + chain + ")");
  }
}
