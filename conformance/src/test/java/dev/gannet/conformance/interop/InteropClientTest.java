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
import org.junit.jupiter.api.Test;
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
  void aCaseThatFailsSaysWhatWasExpectedAndWhatCame() throws IOException {
    assertThat(runAgainst(new GenerousService(), "--test_case=large_unary")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith(
            "large_unary: FAILED: size of the response's payload: expected 314159, got 314160");
  }

  @Test
  void aCallThatFailsIsToldWithItsStatus() throws IOException {
    assertThat(runAgainst(new GenerousService(), "--test_case=ping_pong")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("ping_pong: FAILED: the call ended with UNIMPLEMENTED: ")
        .hasLineCount(1);
  }

  @Test
  void casesAfterAFailedOneRunAllTheSame() throws IOException {
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
  void aServerThatIsNotThereIsAFailureNotAHang() throws IOException {
    int deadPort;
    try (Server server = serverOf(new InteropService())) {
      deadPort = server.port();
    }
    assertThat(run("--test_case=empty_unary", "--server_port=" + deadPort)).isEqualTo(1);
    assertThat(err.toString()).startsWith("empty_unary: FAILED: the call ended with UNAVAILABLE: ");
  }

  private int runAgainst(BindableService service, String testCase) throws IOException {
    try (Server server = serverOf(service)) {
      return run(testCase, "--server_port=" + server.port());
    }
  }

  private int run(String... args) {
    return new CommandLine(new InteropClient())
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
