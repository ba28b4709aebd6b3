package dev.gannet.conformance.longrun;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The short form of the rolling restart, and what it would not let pass. */
@Timeout(60)
final class RestartsTest {
  private final StringWriter out = new StringWriter();
  private final RestartsTally tally = new RestartsTally();

  @Test
  void aRestartUnderLoadFailsNoCall() {
    int exitCode =
        new CommandLine(new Restarts())
            .setOut(new PrintWriter(out, true))
            .execute("--restarts=1", "--clients=3");

    assertThat(exitCode).as(out.toString()).isZero();
  }

  @Test
  void aCallThatTwoServersHaveCompletedIsDetected() {
    tally.completed("a:1");
    tally.completed("a:1");
    tally.onClient("a", "done 1 1");

    assertThat(conclude()).isOne();
    assertThat(out.toString()).contains("FAIL  no unary call was completed twice: 1; a:1");
  }

  @Test
  void aFailedCallIsDetected() {
    tally.completed("a:1");
    tally.onClient("a", "failed a:2 UNAVAILABLE");
    tally.onClient("a", "done 1 1");

    assertThat(conclude()).isOne();
    assertThat(out.toString())
        .contains("FAIL  no unary call failed: 1 of 1; a failed a:2 UNAVAILABLE");
  }

  @Test
  void aResponseThatNoServerHasSentIsDetected() {
    tally.onClient("a", "done 1 1");

    assertThat(conclude()).isOne();
    assertThat(out.toString()).contains("FAIL  servers completed as many calls");
  }

  @Test
  void aStreamThatEndsWithoutAShutdownNoticeIsReported() {
    tally.completed("a:1");
    tally.onClient("a", "broken UNAVAILABLE");
    tally.onClient("a", "done 1 1");

    assertThat(conclude()).isOne();
    assertThat(out.toString())
        .contains("FAIL  streams end only after their server announced its shutdown");
  }

  @Test
  void aClientThatDiesIsDetected() {
    tally.onClient("a", "Traceback");

    assertThat(conclude()).isOne();
    assertThat(out.toString()).contains("[a] have not, and said; a Traceback");
  }

  @Test
  void aRunWithoutFaultsPasses() {
    tally.completed("a:1");
    tally.onClient("a", "done 1 1");

    assertThat(conclude()).isZero();
  }

  private int conclude() {
    Findings findings = new Findings(new PrintWriter(out, true));
    tally.conclude(findings, List.of("a"));
    return findings.conclude();
  }
}
