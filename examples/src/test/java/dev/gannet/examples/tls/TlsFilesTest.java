package dev.gannet.examples.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.examples.greeter.MyGreeter;
import dev.gannet.server.Server;
import dev.gannet.testing.GannetExtension;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Servers and clients that make sure of each other, and turn away those they do not know. */
final class TlsFilesTest {
  private static final HelloRequest ADA = HelloRequest.newBuilder().setName("Ada").build();

  @TempDir private static Path folder = Path.of("");

  private static Certificates ofServer;
  private static Certificates ofClient;
  private static Certificates ofStranger;

  @RegisterExtension final GannetExtension gannet = GannetExtension.onLoopback();

  @BeforeAll
  static void make() throws Exception {
    ofServer = Certificates.make(folder, "server");
    ofClient = Certificates.make(folder, "client");
    ofStranger = Certificates.make(folder, "stranger");
  }

  private GreeterClient greeter(Server server, ChannelCredentials credentials) {
    return GreeterClient.of(
        gannet.channelTo(server, it -> it.credentials(credentials).overrideAuthority("localhost")));
  }

  @Test
  void aClientChecksItsServer() throws Exception {
    ServerCredentials credentials = TlsFiles.server(ofServer.certificate(), ofServer.key());
    Server server = gannet.serve(it -> it.credentials(credentials).add(new MyGreeter()));
    GreeterClient good = greeter(server, TlsFiles.channel(ofServer.certificate()));
    assertThat(good.sayHello(ADA).getMessage()).isEqualTo("Hello Ada");
    GreeterClient wrong = greeter(server, TlsFiles.channel(ofStranger.certificate()));
    assertThatThrownBy(() -> wrong.sayHello(ADA)).hasMessageStartingWith("UNAVAILABLE");
  }

  @Test
  void aServerChecksItsClients() throws Exception {
    ServerCredentials credentials =
        TlsFiles.mutualServer(ofServer.certificate(), ofServer.key(), ofClient.certificate());
    Server server = gannet.serve(it -> it.credentials(credentials).add(new CertifiedGreeter()));
    GreeterClient good =
        greeter(
            server,
            TlsFiles.mutualChannel(ofServer.certificate(), ofClient.certificate(), ofClient.key()));
    assertThat(good.sayHello(ADA).getMessage()).isEqualTo("Hello CN=client");
    GreeterClient unknown =
        greeter(
            server,
            TlsFiles.mutualChannel(
                ofServer.certificate(), ofStranger.certificate(), ofStranger.key()));
    assertThatThrownBy(() -> unknown.sayHello(ADA)).hasMessageStartingWith("UNAVAILABLE");
  }
}
