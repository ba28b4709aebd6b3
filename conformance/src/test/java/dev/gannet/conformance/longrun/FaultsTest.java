package dev.gannet.conformance.longrun;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The short form of the faults, and what they would not let pass. */
@Timeout(120)
final class FaultsTest {
  private static final long SECOND = 1_000_000_000;

  private final StringWriter out = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new Faults())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(out, true))
        .execute(arguments);
  }

  @Test
  void callsEndInTimeAndSucceedAgainAfterNetworkFaults() {
    int exitCode =
        run("--only=cut,refused-1s,slices", "--seconds=1", "--calls-per-second=40", "--seed=1");

    assertThat(exitCode).as(out.toString()).isZero();
  }

  @Test
  void anUnknownFaultIsAnsweredWithTheListOfAll() {
    assertThat(run("--only=cutt")).isEqualTo(2);
    assertThat(out.toString()).contains("there is no fault 'cutt'; there are cut, refused-1s,");
  }

  @Test
  void optionsThatAreNotPositiveAreRefused() {
    assertThat(run("--seconds=0")).isEqualTo(2);
    assertThat(run("--calls-per-second=0")).isEqualTo(2);
  }

  @Test
  void theListHasAllFaults() {
    assertThat(run("--list")).isZero();
    assertThat(out.toString().lines()).isEqualTo(Fault.texts().stream().toList()).hasSize(11);
  }

  @Test
  void theLongestBackoffGrowsWithTheOutage() {
    assertThat(FaultsCourse.longestBackoff(Duration.ZERO)).hasMillis(1_200);
    assertThat(FaultsCourse.longestBackoff(Duration.ofSeconds(1))).hasMillis(1_920);
    assertThat(FaultsCourse.longestBackoff(Duration.ofSeconds(3))).hasMillis(3_072);
  }

  @Test
  void aPhaseKnowsTheLatestEndAndTheLastFailure() {
    FaultsPhase phase = new FaultsPhase();
    phase.onBegin();
    phase.onBegin();
    phase.onBegin();
    phase.onEnd(new FaultsPhase.End(0, SECOND, SECOND / 2, Status.Code.OK));
    phase.onEnd(new FaultsPhase.End(SECOND, 2 * SECOND, 3 * SECOND, Status.Code.UNAVAILABLE));

    assertThat(phase.open()).isOne();
    assertThat(phase.latestEndMillis()).isEqualTo(1_000);
    assertThat(phase.lastFailureMillis(SECOND / 2)).hasValue(500);
    assertThat(phase.endedOtherwise(List.of(Status.Code.OK))).isOne();
    assertThat(phase.goodRate(0, 2 * SECOND)).isEqualTo(0.5);
  }
}
