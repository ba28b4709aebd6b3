package dev.gannet.conformance.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The negative HTTP/2 cases against servers that do what their names say. */
@Timeout(120)
final class Http2ClientTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new Http2Client())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  private int run(String testCase, Http2Script server) {
    return run(
        "--server_host=127.0.0.1", "--server_port=" + server.port(), "--test_case=" + testCase);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rst_after_header", "rst_during_data", "rst_after_data"})
  void aStreamThatIsResetFailsItsCall(String testCase) throws IOException {
    try (Http2Script server = new Http2Script(testCase)) {
      assertThat(run(testCase, server)).as(err.toString()).isZero();
      assertThat(out).hasToString(testCase + ": passed" + System.lineSeparator());
    }
  }

  @Test
  void aServerThatGoesAwayGetsAnotherConnection() throws IOException {
    try (Http2Script server = new Http2Script("goaway")) {
      assertThat(run("goaway", server)).as(err.toString()).isZero();
      assertThat(server.connections).hasValue(2);
    }
  }

  @Test
  void pingsAreAnswered() throws IOException {
    try (Http2Script server = new Http2Script("ping")) {
      assertThat(run("ping", server)).as(err.toString()).isZero();
      assertThat(server.pingAcks.get()).isGreaterThanOrEqualTo(3); // the call may end ahead of one
    }
  }

  @Test
  void aServerThatTakesOneCallAtATimeGetsNoMore() throws IOException {
    try (Http2Script server = new Http2Script("max_streams")) {
      assertThat(run("max_streams", server)).as(err.toString()).isZero();
      assertThat(server.mostStreams).hasValue(1);
      assertThat(server.connections).hasValue(1);
    }
  }

  @Test
  void aServerOfAnotherCaseFailsTheCase() throws IOException {
    try (Http2Script server = new Http2Script("ping")) {
      assertThat(run("rst_after_data", server)).isEqualTo(1);
      assertThat(err.toString()).startsWith("rst_after_data: FAILED: whether the call is OK");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rst_after_header", "rst_during_data", "rst_after_data"})
  void anUnreachableServerIsNotMistakenForOneThatResets(String testCase) throws IOException {
    int deadPort;
    try (Http2Script server = new Http2Script("ping")) {
      deadPort = server.port();
    }
    assertThat(
            run("--server_host=127.0.0.1", "--server_port=" + deadPort, "--test_case=" + testCase))
        .isEqualTo(1);
    assertThat(err.toString())
        .startsWith(testCase + ": FAILED: code of the reset: expected NO_ERROR, got UNAVAILABLE");
  }

  @Test
  void anUnknownCaseIsAnsweredWithTheListOfAll() {
    assertThat(run("--test_case=rst")).isEqualTo(2);
    assertThat(err.toString())
        .contains("goaway rst_after_header rst_during_data rst_after_data ping max_streams");
  }
}
