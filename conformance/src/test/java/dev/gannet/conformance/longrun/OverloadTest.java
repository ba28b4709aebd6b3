package dev.gannet.conformance.longrun;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The short form of the overload, with bars that a busy machine does not miss. */
@Timeout(60)
final class OverloadTest {
  private static final long MILLI_NANOS = 1_000_000;

  private final StringWriter out = new StringWriter();

  @Test
  void anOverloadedServerStillAnswersAndRefusesTheRest() {
    int exitCode =
        new CommandLine(new Overload())
            .setOut(new PrintWriter(out, true))
            .execute(
                "--start-only",
                "--permits=4",
                "--settle=2",
                "--measure=1",
                "--goodput=50",
                "--refused-within=500");

    assertThat(exitCode).as(out.toString()).isZero();
  }

  @Test
  void aPhaseCountsAnswersBySecondAndTimesRefusals() {
    OverloadPhase phase = new OverloadPhase(0);
    phase.onEnd(Status.Code.OK, MILLI_NANOS);
    phase.onEnd(Status.Code.RESOURCE_EXHAUSTED, 20 * MILLI_NANOS);
    phase.onEnd(Status.Code.DEADLINE_EXCEEDED, MILLI_NANOS);

    assertThat(phase.goodput(0, 2)).isEqualTo(0.5);
    assertThat(phase.refused()).isOne();
    assertThat(phase.refusalP99Millis()).isBetween(19.0, 21.0);
    assertThat(phase.firstSecondWith(1, 2)).isOne();
    assertThat(phase.firstSecondWith(2, 2)).isNegative();
  }

  @Test
  void refusalsBeforeAPhaseHasSettledAreNotTimed() {
    OverloadPhase phase = new OverloadPhase(10);
    phase.onEnd(Status.Code.RESOURCE_EXHAUSTED, MILLI_NANOS);

    assertThat(phase.refused()).isZero();
  }
}
