package dev.gannet.conformance.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.BindableService;
import dev.gannet.server.Server;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestService;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the client says and how it exits, whatever the server does. */
final class InteropClientTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** A server whose payloads are one byte too long. */
  private static final class GenerousService implements TestService {
    @Override
    public Empty emptyCall(Empty request) {
      return request;
    }

    @Override
    public SimpleResponse unaryCall(SimpleRequest request) {
      return SimpleResponse.newBuilder()
          .setPayload(Payloads.zeros(request.getResponseSize() + 1))
          .build();
    }
  }

  @Test
  void aCaseThatPassesExitsWithZero() throws IOException {
    assertThat(runAgainst(new InteropService(), "--test_case=large_unary")).isZero();
    assertThat(out).hasToString("large_unary: passed" + System.lineSeparator());
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void allCasesAreListedWithoutAnyOtherOption() {
    assertThat(run("--list")).isZero();
    assertThat(out.toString().lines()).containsExactlyElementsOf(InteropCases.names());
  }

  @ParameterizedTest
  @EnumSource
  void aCaseRunsInEachStyle(ClientStyle style) throws IOException {
    assertThat(
            runAgainst(
                new InteropService(),
                "--test_case=large_unary,client_streaming,ping_pong,unimplemented_service",
                "--style=" + style.name().toLowerCase(Locale.ROOT)))
        .isZero();
    assertThat(out.toString().lines()).hasSize(4).allMatch(it -> it.endsWith(": passed"));
  }

  @ParameterizedTest
  @EnumSource
  void aCaseFailsInEachStyle(ClientStyle style) throws IOException {
    assertThat(
            runAgainst(
                new GenerousService(),
                "--test_case=large_unary,server_streaming",
                "--style=" + style))
        .isEqualTo(1);
    assertThat(err.toString())
        .contains("large_unary: FAILED: size of the response's payload: expected 314159, got")
        .contains("server_streaming: FAILED: the call ended with UNIMPLEMENTED: ");
  }

  @Test
  void aFailedCasePrintsTheExpectedAndTheActualResult() throws IOException {
    assertThat(runAgainst(new GenerousService(), "--test_case=large_unary")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith(
            "large_unary: FAILED: size of the response's payload: expected 314159, got 314160");
  }

  @Test
  void aFailedCallIsReportedWithItsStatus() throws IOException {
    assertThat(runAgainst(new GenerousService(), "--test_case=ping_pong")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("ping_pong: FAILED: the call ended with UNIMPLEMENTED: ")
        .hasLineCount(1);
  }

  @Test
  void casesAfterAFailedOneStillRun() throws IOException {
    assertThat(runAgainst(new GenerousService(), "--test_case=large_unary,empty_unary"))
        .isEqualTo(1);
    assertThat(out).hasToString("empty_unary: passed" + System.lineSeparator());
  }

  @Test
  void anUnknownCaseIsAnsweredWithTheListOfAll() {
    assertThat(run("--test_case=large_unity")).isEqualTo(2);
    assertThat(err.toString().lines())
        .containsExactly(
            "no such case: large_unity", "cases: " + String.join(" ", InteropCases.names()));
  }

  @Test
  void anUnreachableServerIsAFailure() throws IOException {
    int deadPort;
    try (Server server = serverOf(new InteropService())) {
      deadPort = server.port();
    }
    assertThat(run("--test_case=empty_unary", "--server_port=" + deadPort)).isEqualTo(1);
    assertThat(err.toString()).startsWith("empty_unary: FAILED: the call ended with UNAVAILABLE: ");
  }

  @Test
  void aSoakReportsEachCall() throws IOException {
    assertThat(
            runAgainst(
                new InteropService(),
                "--test_case=rpc_soak,channel_soak",
                "--soak_iterations=4",
                "--soak_num_threads=2",
                "--soak_request_size=7",
                "--soak_response_size=9"))
        .isZero();
    assertThat(out.toString().lines().filter(it -> it.startsWith("soak iteration: ")))
        .hasSize(8)
        .allMatch(it -> it.matches("soak iteration: [0-3] elapsed_ms: \\d+ peer: .+ succeeded"));
    assertThat(out.toString().lines()).contains("rpc_soak: passed", "channel_soak: passed");
  }

  @Test
  void aSoakFailsWhereMoreCallsFailThanMay() throws IOException {
    String[] three = {"--test_case=rpc_soak", "--soak_iterations=3", "--soak_response_size=5"};
    assertThat(runAgainst(new GenerousService(), three)).isEqualTo(1);
    assertThat(err.toString())
        .contains("failed: size of the payload: expected 5, got 6")
        .contains("rpc_soak: FAILED: failures, at most: expected 0, got 3");
    assertThat(
            runAgainst(
                new GenerousService(),
                "--test_case=rpc_soak",
                "--soak_iterations=3",
                "--soak_response_size=5",
                "--soak_max_failures=3"))
        .isZero();
  }

  @Test
  void aSoakThatTakesTooLongHasFailed() throws IOException {
    assertThat(
            runAgainst(
                new InteropService(), "--test_case=rpc_soak", "--soak_overall_timeout_seconds=0"))
        .isEqualTo(1);
    assertThat(err.toString()).contains("iterations done in time: expected 10, got 0");
    assertThat(
            runAgainst(
                new InteropService(),
                "--test_case=rpc_soak",
                "--soak_per_iteration_max_acceptable_latency_ms=0"))
        .isEqualTo(1);
    assertThat(err.toString()).contains("failed: took too long");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--soak_iterations=3 --soak_num_threads=2",
        "--soak_iterations=0",
        "--soak_max_failures=-1",
        "--service_config_json={",
        "--service_config_json={\"loadBalancingConfig\":[{\"no_such\":{}}]}"
      })
  void anInvalidOptionIsReportedBeforeAnyCase(String options) {
    String[] all = (options + " --test_case=empty_unary").split(" ");
    assertThat(run(all)).isEqualTo(2);
    assertThat(err.toString()).hasLineCount(1).startsWith(options.contains("soak") ? "" : "--serv");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aServiceConfigChoosesThePolicy() throws IOException {
    assertThat(
            runAgainst(
                new InteropService(),
                "--test_case=large_unary",
                "--service_config_json={\"loadBalancingConfig\":[{\"round_robin\":{}}]}"))
        .isZero();
  }

  @Test
  void allCallsGoToOneServerAndItSaysWhoItIs() throws IOException {
    assertThat(runAgainst(new InteropService(), "--test_case=pick_first_unary")).isZero();
    assertThat(runAgainst(new GenerousService(), "--test_case=pick_first_unary")).isEqualTo(1);
    assertThat(err.toString()).contains("whether the server has an id: expected true, got false");
  }

  @Test
  void aServerThatReportsNothingFailsTheCaseOfReports() throws IOException {
    assertThat(runAgainst(new GenerousService(), "--test_case=orca_per_rpc")).isEqualTo(1);
    assertThat(err.toString()).contains("orca_per_rpc: FAILED: the report that came with the call");
  }

  private int runAgainst(BindableService service, String... options) throws IOException {
    try (Server server = serverOf(service)) {
      return run(
          Stream.concat(Stream.of(options), Stream.of("--server_port=" + server.port()))
              .toArray(String[]::new));
    }
  }

  private int run(String... args) {
    return new CommandLine(new InteropClient())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  private static Server serverOf(BindableService service) throws IOException {
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .add(service)
        .start();
  }
}
