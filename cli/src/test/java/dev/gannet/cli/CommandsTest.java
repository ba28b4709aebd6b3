package dev.gannet.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.ManagedChannel;
import dev.gannet.services.channelz.v1.ChannelzClient;
import dev.gannet.services.channelz.v1.GetServersRequest;
import dev.gannet.services.health.v1.HealthCheckRequest;
import dev.gannet.services.health.v1.HealthCheckResponse.ServingStatus;
import dev.gannet.services.health.v1.HealthClient;
import dev.gannet.services.reflection.v1.ServerReflectionClient;
import dev.gannet.services.reflection.v1.ServerReflectionRequest;
import dev.gannet.services.reflection.v1.ServiceResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands as their users meet them: arguments in, lines and an exit code out. */
@Timeout(60)
final class CommandsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true)).execute(args);
  }

  @Test
  void theDemoChecksAllKindsOfCallsAndPrintsATable() {
    int exitCode = run("demo", "--seconds=0.3", "--warm-up=0.1", "--callers=4");

    assertThat(err.toString()).isEmpty();
    assertThat(out.toString().lines())
        .anyMatch(it -> it.matches("kind of call +calls +calls/s +p50 ms +p99 ms +errors"))
        .anyMatch(it -> it.matches("unary +[1-9][\\d,]* .* 0"))
        .anyMatch(it -> it.matches("server streaming +[1-9][\\d,]* .* 0"))
        .anyMatch(it -> it.matches("client streaming +[1-9][\\d,]* .* 0"))
        .anyMatch(it -> it.matches("bidi streaming +[1-9][\\d,]* .* 0"))
        .contains("Every call was right.")
        .anyMatch(it -> it.contains("./gannet serve"));
    assertThat(exitCode).isZero();
  }

  @Test
  void theColumnsOfTheTableAreAligned() {
    run("demo", "--seconds=0.1", "--warm-up=0", "--callers=1");

    List<String> table =
        out.toString().lines().dropWhile(it -> !it.startsWith("kind of call")).limit(5).toList();
    assertThat(table).extracting(String::length).containsOnly(table.getFirst().length());
  }

  @Test
  void aWrongFlagIsNamedInOneLineBeforeTheUsage() {
    assertThat(run("demo", "--secnds=1")).isEqualTo(2);

    assertThat(err.toString().lines().limit(2))
        .containsExactly(
            "gannet demo: Unknown option: '--secnds=1'",
            "Usage: gannet demo [-hV] [--verbose] [--callers=N] [--seconds=N] [--warm-up=N]");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void anInvalidValueIsNamedInOneLineBeforeTheUsage() {
    assertThat(run("demo", "--seconds=0")).isEqualTo(2);

    assertThat(err.toString().lines().limit(2))
        .first()
        .isEqualTo(
            "gannet demo: --seconds must be positive, --warm-up not negative, --callers at least"
                + " 1");
    assertThat(err.toString()).contains("Usage: gannet demo");
  }

  @Test
  void anUnknownCommandIsNamedInOneLineBeforeTheUsage() {
    assertThat(run("dmeo")).isEqualTo(2);

    assertThat(err.toString().lines().limit(2))
        .containsExactly(
            "gannet: Unmatched argument at index 0: 'dmeo'",
            "Usage: gannet [-hV] [--verbose] [COMMAND]");
  }

  @Test
  void aPortInUseIsReportedInOneLine() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(run("serve", "--port=" + taken.getLocalPort())).isEqualTo(1);

      assertThat(err.toString().lines())
          .singleElement()
          .asString()
          .contains("gannet serve: ", ":" + taken.getLocalPort(), "in use");
    }
  }

  @Test
  void theStackTraceOfAFailureIsPrintedOnRequest() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      run("serve", "--verbose", "--port=" + taken.getLocalPort());

      assertThat(err.toString()).contains("\tat dev.gannet.");
    }
  }

  @Test
  void aServerThatIsTerminatedPrintsThatAndEnds() throws IOException, InterruptedException {
    Process server = start("serve", "--port=0");
    try (var lines = server.inputReader(UTF_8)) {
      assertThat(lines.readLine()).startsWith("Serving gannet.demo.Greeter on 127.0.0.1:");
      assertThat(lines.readLine()).contains("gannet.demo.Greeter/SayHello");

      server.toHandle().destroy(); // Process.destroy would close what we read

      assertThat(lines.lines())
          .containsExactly(
              "Stopping: no new calls; running calls have a few seconds to end.", "Stopped.");
      assertThat(server.waitFor(20, TimeUnit.SECONDS)).isTrue();
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void theServerOffersHealthChannelzAndReflection() throws IOException {
    Process server = start("serve", "--port=0");
    try (var lines = server.inputReader(UTF_8)) {
      String address = lines.readLine().replaceAll(".* on (\\S+:[0-9]+)\\..*", "$1");
      try (ManagedChannel channel = ManagedChannel.builder(address).plaintext().build()) {
        assertThat(
                HealthClient.of(channel).check(HealthCheckRequest.getDefaultInstance()).getStatus())
            .isEqualTo(ServingStatus.SERVING);
        assertThat(
                ChannelzClient.of(channel)
                    .getServers(GetServersRequest.getDefaultInstance())
                    .getServerList())
            .hasSize(1);
        try (var reflection = ServerReflectionClient.of(channel).serverReflectionInfo()) {
          reflection.send(ServerReflectionRequest.newBuilder().setListServices("").build());
          assertThat(reflection.next().getListServicesResponse().getServiceList())
              .extracting(ServiceResponse::getName)
              .contains("gannet.demo.Greeter", "grpc.health.v1.Health");
        }
      }
    } finally {
      server.destroyForcibly();
    }
  }

  /** Runs a command in a JVM of its own. */
  private static Process start(String... args) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }
}
