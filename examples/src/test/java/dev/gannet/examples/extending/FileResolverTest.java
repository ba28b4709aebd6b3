package dev.gannet.examples.extending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.StatusException;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.GreeterMethods;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.examples.greeter.MyGreeter;
import dev.gannet.testing.FakeServer;
import dev.gannet.testing.GannetExtension;
import dev.gannet.testing.ResolverTestbed;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A channel uses the servers that its file names, also after the file has changed. */
@Timeout(60)
final class FileResolverTest {
  private static final Duration INTERVAL = Duration.ofMillis(20);

  @RegisterExtension final GannetExtension gannet = GannetExtension.onLoopback();

  @TempDir Path folder;
  private Path file;
  private String target;

  @BeforeEach
  void name() {
    file = folder.resolve("greeter.example.com");
    target = "file://" + file.toUri().getPath();
  }

  /** At once: a reader sees the old file or the new one. */
  private void write(String... lines) throws IOException {
    Path next = Files.write(folder.resolve("next"), List.of(lines));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String addressOf(FakeServer server) {
    return "localhost:" + ((InetSocketAddress) server.address()).getPort();
  }

  @Test
  void callsFollowTheFile() throws IOException {
    List<FakeServer> servers =
        Stream.generate(() -> gannet.fake(new MyGreeter())).limit(3).toList();
    write(addressOf(servers.get(0)));
    try (ManagedChannel channel =
        ManagedChannel.builder(target)
            .addNameResolver(new FileResolverProvider(INTERVAL))
            .plaintext()
            .build()) {
      GreeterClient greeter = GreeterClient.of(channel).withWaitForReady();
      greeter.sayHello(HelloRequest.getDefaultInstance());
      assertThat(callsOf(servers.get(0))).isOne();

      write("policy round_robin", addressOf(servers.get(1)), addressOf(servers.get(2)));
      while (callsOf(servers.get(1)) == 0 || callsOf(servers.get(2)) == 0) {
        greeter.sayHello(HelloRequest.getDefaultInstance());
      }
      assertThat(channel.authority()).isEqualTo("greeter.example.com");
    }
  }

  private static int callsOf(FakeServer server) {
    return server.calls(GreeterMethods.SAY_HELLO).size();
  }

  @Test
  void aStatusNamesTheFileThatCannotBeRead() {
    try (ManagedChannel channel =
        ManagedChannel.builder(target)
            .addNameResolver(new FileResolverProvider(INTERVAL))
            .plaintext()
            .build()) {
      assertThatThrownBy(
              () -> GreeterClient.of(channel).sayHello(HelloRequest.getDefaultInstance()))
          .isInstanceOf(StatusException.class)
          .hasMessageStartingWith("UNAVAILABLE")
          .hasMessageContaining("cannot read " + file);
    }
  }

  @Test
  void theFileIsReadOffTheEventLoop() throws IOException {
    write("192.0.2.1:50051", "", "192.0.2.2:50051");
    try (ResolverTestbed resolver =
        ResolverTestbed.of(new FileResolverProvider(Duration.ofMinutes(1)), target)) {
      resolver.start();
      assertThat(resolver.lastResult())
          .hasToString("Resolved[[/192.0.2.1:50051], [/192.0.2.2:50051]]");
      write("192.0.2.3:50051");
      resolver.clock().advance(Duration.ofMinutes(1));
      assertThat(resolver.lastResult()).hasToString("Resolved[[/192.0.2.3:50051]]");
      write("192.0.2.3");
      resolver.refresh();
      assertThat(resolver.lastResult()).isInstanceOf(Resolution.Failed.class);
      assertThat(resolver.offloads()).isEqualTo(3);
    }
  }

  @Test
  void aPolicyThatNobodyKnowsIsAnInvalidServiceConfig() throws IOException {
    write("policy rund_robin", "192.0.2.1:50051");
    try (ResolverTestbed resolver =
        ResolverTestbed.of(new FileResolverProvider(INTERVAL), target)) {
      resolver.start();
      assertThat(ServiceConfig.faultOf((Resolution.Resolved) resolver.lastResult()))
          .hasValueSatisfying(
              why -> assertThat(why.description()).hasValue("unknown policy rund_robin"));
    }
  }
}
