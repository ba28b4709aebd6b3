package dev.gannet.conformance.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * gRPC's official interop cases, with ourselves and with the published grpc-java in both
 * directions, every program in a process of its own.
 */
final class InteropTest {
  /** One server for all cases. */
  private record Serving(Implementation server, Security security) {}

  /** One run of our client, which takes all cases at once. */
  private static final Map<Serving, ChildProgram> OUR_RUNS = new HashMap<>();

  private static final Map<Serving, ChildProgram> SERVERS = new HashMap<>();

  static Stream<Arguments> allCases() {
    return Stream.of(Security.values())
        .flatMap(
            security -> InteropCases.names().stream().map(name -> Arguments.of(name, security)));
  }

  @ParameterizedTest
  @MethodSource("allCases")
  void ourClientAndOurServerAgree(String testCase, Security security) throws Exception {
    checkOurClient(testCase, new Serving(Implementation.GANNET, security));
  }

  @ParameterizedTest
  @MethodSource("allCases")
  void ourClientAndGrpcJavasServerAgree(String testCase, Security security) throws Exception {
    checkOurClient(testCase, new Serving(Implementation.GRPC_JAVA, security));
  }

  /** grpc-java's client has some more cases, which stress a server with many calls. */
  static Stream<Arguments> allCasesOfGrpcJava() {
    return Stream.concat(
        allCases(),
        Stream.of(Security.values())
            .flatMap(security ->
                Stream.of("rpc_soak", "channel_soak").map(name -> Arguments.of(name, security))));
  }

  @ParameterizedTest
  @MethodSource("allCasesOfGrpcJava")
  void grpcJavasClientAndOurServerAgree(String testCase, Security security) throws Exception {
    String port = portOf(new Serving(Implementation.GANNET, security));

    ChildProgram client = Implementation.GRPC_JAVA.runClient(testCase, port, security);

    assertThat(client.exitCode()).as("%s", client).isZero();
    assertThat(client.output()).contains("Test completed.");
  }

  @AfterAll
  static void ourServerHasNothingToComplainAbout() throws InterruptedException {
    for (ChildProgram server : SERVERS.values()) {
      server.stop();
    }
    SERVERS.forEach((serving, server) -> {
      if (serving.server == Implementation.GANNET) {
        assertThat(server.output()).doesNotContain("LEAK", "Exception", "SEVERE", "failed");
      }
    });
  }

  private static void checkOurClient(String testCase, Serving serving)
      throws IOException, InterruptedException {
    ChildProgram client = ourRunAgainst(serving);
    Optional<Divergence> divergence =
        Divergence.of(Implementation.GANNET, serving.server, testCase);
    if (divergence.isPresent()) {
      assertThat(client.output().lines())
          .as("a divergence that is gone? %s", divergence.get())
          .anyMatch(line ->
              line.startsWith(testCase + ": FAILED: ")
                  && line.endsWith(divergence.get().complaint()));
    } else {
      assertThat(client.output().lines()).contains(testCase + ": passed");
    }
  }

  private static ChildProgram ourRunAgainst(Serving serving)
      throws IOException, InterruptedException {
    ChildProgram run = OUR_RUNS.get(serving);
    if (run == null) {
      run = Implementation.GANNET.runClient("all", portOf(serving), serving.security);
      OUR_RUNS.put(serving, run);
    }
    return run;
  }

  private static String portOf(Serving serving) {
    return SERVERS.computeIfAbsent(serving, InteropTest::start).awaitReady();
  }

  private static ChildProgram start(Serving serving) {
    try {
      return serving.server.startServer(serving.security);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
