package dev.gannet.conformance.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
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

  /** A client that has run all cases, one after the other. */
  private record Run(Implementation client, ClientStyle style, Serving serving) {}

  private static final Map<Run, ChildProgram> RUNS = new HashMap<>();

  private static final Map<Serving, ChildProgram> SERVERS = new HashMap<>();

  static Stream<Arguments> allCases() {
    return Stream.of(Security.values())
        .flatMap(
            security -> InteropCases.names().stream().map(name -> Arguments.of(name, security)));
  }

  @ParameterizedTest
  @MethodSource("allCases")
  void ourClientAndOurServerAgree(String testCase, Security security) throws Exception {
    checkOurClient(testCase, ClientStyle.BLOCKING, new Serving(Implementation.GANNET, security));
  }

  @ParameterizedTest
  @MethodSource("allCases")
  void ourClientAndGrpcJavasServerAgree(String testCase, Security security) throws Exception {
    checkOurClient(testCase, ClientStyle.BLOCKING, new Serving(Implementation.GRPC_JAVA, security));
  }

  static Stream<Arguments> styledCasesInOtherStyles() {
    return Stream.of(ClientStyle.values())
        .filter(style -> style != ClientStyle.BLOCKING)
        .flatMap(
            style -> InteropCases.styledNames().stream().map(name -> Arguments.of(name, style)));
  }

  @ParameterizedTest
  @MethodSource("styledCasesInOtherStyles")
  void ourClientOfAnotherStyleAndOurServerAgree(String testCase, ClientStyle style)
      throws Exception {
    checkOurClient(testCase, style, new Serving(Implementation.GANNET, Security.PLAINTEXT));
  }

  @ParameterizedTest
  @MethodSource("styledCasesInOtherStyles")
  void ourClientOfAnotherStyleAndGrpcJavasServerAgree(String testCase, ClientStyle style)
      throws Exception {
    checkOurClient(testCase, style, new Serving(Implementation.GRPC_JAVA, Security.PLAINTEXT));
  }

  @ParameterizedTest
  @MethodSource("allCases")
  void grpcJavasClientAndOurServerAgree(String testCase, Security security) throws Exception {
    Serving serving = new Serving(Implementation.GANNET, security);

    ChildProgram client = run(new Run(Implementation.GRPC_JAVA, ClientStyle.OBSERVER, serving));

    assertThat(client.output().lines()).as("%s", client).contains(testCase + ": passed");
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

  private static void checkOurClient(String testCase, ClientStyle style, Serving serving)
      throws IOException, InterruptedException {
    ChildProgram client = run(new Run(Implementation.GANNET, style, serving));
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

  private static ChildProgram run(Run run) throws IOException, InterruptedException {
    ChildProgram there = RUNS.get(run);
    if (there == null) {
      Serving serving = run.serving;
      there =
          switch (run.client) {
            case GANNET ->
                Implementation.runOurClient(
                    casesOf(run.style), run.style, portOf(serving), serving.security);
            case GRPC_JAVA ->
                Implementation.runGrpcJavasClient(
                    String.join(",", InteropCases.names()), portOf(serving), serving.security);
          };
      RUNS.put(run, there);
    }
    return there;
  }

  /** The blocking client also runs the cases that only it has. */
  private static List<String> casesOf(ClientStyle style) {
    return style == ClientStyle.BLOCKING ? InteropCases.names() : InteropCases.styledNames();
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
