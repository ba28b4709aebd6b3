package dev.gannet.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.api.stub.BlockingHandlers.UnaryMethod;
import dev.gannet.benchmarks.load.BenchmarkHandlers;
import dev.gannet.server.Server;
import io.grpc.benchmarks.proto.BenchmarkServiceMethods;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands as their users meet them: arguments in, lines and an exit code out. */
@Timeout(60)
final class CommandsTest {
  private static final int CALLS_BEFORE_LEAVING = 100;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true)).execute(args);
  }

  @ParameterizedTest
  @ValueSource(strings = {"virtual", "inline", "pool"})
  void aServerAnswersWhereverItsHandlersRun(String dispatch) throws Exception {
    try (ServerProcess server = ServerProcess.start(dispatch)) {
      assertThat(load(server.port())).isZero();
      assertThat(load(server.port(), "--streaming")).isZero();
      assertThat(err.toString()).isEmpty();
    }
  }

  @Test
  void aClientCanMakeBlockingCalls() throws Exception {
    try (ServerProcess server = ServerProcess.start("inline")) {
      assertThat(load(server.port(), "--mode=blocking")).isZero();
      assertThat(load(server.port(), "--mode=blocking", "--streaming")).isZero();
      assertThat(err.toString()).isEmpty();
    }
  }

  @Test
  void aClientPrintsWhatItMeasures() throws Exception {
    try (ServerProcess server = ServerProcess.start("inline")) {
      load(
          server.port(),
          "--channels=2",
          "--outstanding=3",
          "--client_payload=20",
          "--server_payload=100");

      assertThat(out.toString().lines().map(it -> it.replaceAll("[0-9.]+$", "N")))
          .extracting(it -> it.replaceAll(" +N", " N"))
          .containsExactly(
              "Channels: N",
              "Outstanding RPCs per Channel: N",
              "Server Payload Size: N",
              "Client Payload Size: N",
              "50%ile Latency (in micros): N",
              "90%ile Latency (in micros): N",
              "95%ile Latency (in micros): N",
              "99%ile Latency (in micros): N",
              "99.9%ile Latency (in micros): N",
              "Maximum Latency (in micros): N",
              "QPS: N",
              "Client CPU per Call (in micros): N",
              "Client Allocation per Call (in bytes): N");
      assertThat(out.toString())
          .containsPattern("Outstanding RPCs per Channel: +3\n")
          .containsPattern("Server Payload Size: +100\n")
          .containsPattern("QPS: +[1-9]\\d*\n");
    }
  }

  @Test
  void aCallThatIsRefusedMakesTheRunFail() throws Exception {
    try (ServerProcess server = ServerProcess.start("inline")) {
      assertThat(load(server.port(), "--server_payload=100000000")).isEqualTo(1);

      assertThat(err.toString().lines())
          .singleElement()
          .asString()
          .contains("ended with INVALID_ARGUMENT: response_size must be from 0");
      assertThat(out.toString()).isEmpty();
    }
  }

  @Test
  void anUnreachableServerIsReportedInOneLine() throws IOException {
    int port = freePort();

    assertThat(run("bench-client", "--address=127.0.0.1:" + port, "--duration=1")).isEqualTo(1);

    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith("gannet bench-client: the first call to 127.0.0.1:" + port)
        .contains("UNAVAILABLE");
  }

  @Test
  void aClientCallsAllServersOfATargetByItsServiceConfig() throws Exception {
    AtomicInteger ofFirst = new AtomicInteger();
    AtomicInteger ofSecond = new AtomicInteger();
    try (Server first = serve(request -> counted(ofFirst, request));
        Server second = serve(request -> counted(ofSecond, request))) {
      assertThat(
              load(
                  first.port(),
                  "--address=ipv4:127.0.0.1:" + first.port() + ",127.0.0.1:" + second.port(),
                  "--service_config_json={\"loadBalancingConfig\": [{\"round_robin\": {}}]}"))
          .isZero();
      assertThat(ofFirst).hasPositiveValue();
      assertThat(ofSecond).hasPositiveValue();
    }
  }

  private static SimpleResponse counted(AtomicInteger calls, SimpleRequest request) {
    calls.incrementAndGet();
    return BenchmarkHandlers.respond(request);
  }

  @Test
  void aServerThatGoesAwayMakesTheRunFail() throws Exception {
    AtomicReference<Server> leaving = new AtomicReference<>();
    AtomicInteger calls = new AtomicInteger();
    UnaryMethod<SimpleRequest, SimpleResponse> method =
        request -> {
          if (calls.incrementAndGet() == CALLS_BEFORE_LEAVING) {
            leaving.get().shutdownNow();
          }
          return BenchmarkHandlers.respond(request);
        };
    try (Server server = serve(method)) {
      leaving.set(server);

      assertThat(load(server.port(), "--duration=30")).isEqualTo(1);

      assertThat(err.toString().lines())
          .singleElement()
          .asString()
          .startsWith("gannet bench-client: no result: a call ended with ");
      assertThat(out.toString()).isEmpty();
    }
  }

  @Test
  void aWrongReplyMakesTheRunFail() throws Exception {
    try (Server server = serve(request -> SimpleResponse.getDefaultInstance())) {
      assertThat(load(server.port(), "--server_payload=7")).isEqualTo(1);

      assertThat(err.toString())
          .isEqualToIgnoringNewLines(
              "gannet bench-client: no result: a reply has 0 bytes of payload instead of 7");
    }
  }

  @Test
  void aServerThatIsTerminatedPrintsThatAndEnds() throws Exception {
    try (ServerProcess server = ServerProcess.start("virtual")) {
      assertThat(server.lastWords())
          .containsExactly(
              "Stopping: no new calls; running calls have a few seconds to end.", "Stopped.");
    }
  }

  @Test
  void aPortInUseIsReportedInOneLine() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(run("bench-server", "--port=" + taken.getLocalPort())).isEqualTo(1);

      assertThat(err.toString().lines())
          .singleElement()
          .asString()
          .contains("gannet bench-server: ", ":" + taken.getLocalPort(), "in use");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bench-server",
        "bench-server --port=70000",
        "bench-server --port=0 --dispatch=elsewhere",
        "bench-client",
        "bench-client --address=ipv4:nowhere",
        "bench-client --address=127.0.0.1:1 --service_config_json={",
        "bench-client --address=127.0.0.1:1 --channels=0",
        "bench-client --address=127.0.0.1:1 --warmup=-1",
        "bench-clinet"
      })
  void aWrongCommandLineIsReportedInOneLineBeforeTheUsage(String commandLine) {
    assertThat(run(commandLine.split(" "))).isEqualTo(2);

    List<String> told = err.toString().lines().limit(2).toList();
    assertThat(told.getFirst()).startsWith("gannet");
    assertThat(told.getLast()).startsWith("Usage: gannet");
    assertThat(out.toString()).isEmpty();
  }

  /** A short load; {@code more} may say otherwise. */
  private int load(int port, String... more) {
    List<String> args = new ArrayList<>(List.of("bench-client", "--address=127.0.0.1:" + port));
    args.addAll(List.of("--warmup=0", "--duration=1"));
    args.addAll(List.of(more));
    return Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true))
        .setOverwrittenOptionsAllowed(true)
        .execute(args.toArray(String[]::new));
  }

  /** A server in this process, for one method that is not as it should be. */
  private static Server serve(UnaryMethod<SimpleRequest, SimpleResponse> unaryCall)
      throws IOException {
    var definition =
        ServerMethodDefinition.of(
            BenchmarkServiceMethods.UNARY_CALL, BlockingHandlers.unary(unaryCall));
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .add(ServerServiceDefinition.of(BenchmarkServiceMethods.SERVICE_NAME, List.of(definition)))
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }
}
