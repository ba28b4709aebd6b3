package dev.gannet.examples.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.StatusException;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.server.Server;
import dev.gannet.testing.GannetExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Certificates change under a server and a client that go on. */
@Timeout(60)
final class RenewedTlsTest {
  private static final HelloRequest ADA = HelloRequest.newBuilder().setName("Ada").build();
  private static final Duration OFTEN = Duration.ofMillis(20);

  @TempDir private Path folder = Path.of("");

  @RegisterExtension final GannetExtension gannet = GannetExtension.onLoopback();

  private Certificates first;
  private Certificates second;
  private Path certificate = Path.of("");
  private Path key = Path.of("");
  private Path signers = Path.of("");

  @BeforeEach
  void make() throws Exception {
    first = Certificates.make(folder, "first");
    second = Certificates.make(folder, "second");
    certificate = folder.resolve("tls.crt");
    key = folder.resolve("tls.key");
    signers = folder.resolve("ca.crt");
    put(first);
  }

  /** All files at once, as far as a reader can see. */
  private void put(Certificates used) throws IOException {
    replace(used.certificate(), signers);
    replace(used.key(), key);
    replace(used.certificate(), certificate);
  }

  private void replace(Path with, Path file) throws IOException {
    Path copied = Files.copy(with, folder.resolve("new"), StandardCopyOption.REPLACE_EXISTING);
    Files.move(copied, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private String answerOfANewConnection(Server server, RenewedTls tls) {
    GreeterClient greeter =
        GreeterClient.of(
            gannet.channelTo(
                server, it -> it.credentials(tls.channel()).overrideAuthority("localhost")));
    return greeter.sayHello(ADA).getMessage();
  }

  @Test
  void newConnectionsUseRenewedCertificatesOnBothSides() throws Exception {
    RenewedTls renewed = new RenewedTls(certificate, key, signers, OFTEN);
    Server server =
        gannet.serve(it -> it.credentials(renewed.server()).add(new CertifiedGreeter()));
    GreeterClient stays =
        GreeterClient.of(
            gannet.channelTo(
                server, it -> it.credentials(renewed.channel()).overrideAuthority("localhost")));
    assertThat(stays.sayHello(ADA).getMessage()).isEqualTo("Hello CN=first");

    put(second);
    RenewedTls ofSecond =
        new RenewedTls(second.certificate(), second.key(), second.certificate(), OFTEN);
    assertThat(onceTheServerTrusts(server, ofSecond)).isEqualTo("Hello CN=second");
    assertThat(stays.sayHello(ADA).getMessage()).isEqualTo("Hello CN=first");
    RenewedTls ofFirst =
        new RenewedTls(first.certificate(), first.key(), second.certificate(), OFTEN);
    assertThatThrownBy(() -> answerOfANewConnection(server, ofFirst))
        .isInstanceOf(StatusException.class);
  }

  /** A server looks at its files every now and then: until it has, it turns the new client away. */
  private String onceTheServerTrusts(Server server, RenewedTls tls) {
    while (true) {
      try {
        return answerOfANewConnection(server, tls);
      } catch (StatusException e) {
        Thread.onSpinWait();
      }
    }
  }
}
