package dev.gannet.conformance.gauntlet;

import static dev.gannet.conformance.gauntlet.Outcomes.CUT_OFF;
import static dev.gannet.conformance.gauntlet.Outcomes.LONG_ENOUGH;
import static dev.gannet.conformance.gauntlet.Outcomes.NOTHING;
import static dev.gannet.conformance.gauntlet.Outcomes.TOLERATED;
import static dev.gannet.conformance.gauntlet.Outcomes.beside;
import static dev.gannet.conformance.gauntlet.Outcomes.course;
import static dev.gannet.conformance.gauntlet.Outcomes.outcome;
import static dev.gannet.conformance.gauntlet.Outcomes.pingFlood;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How often a trial is run, and which run counts. */
final class RunsTest {
  private static final Outcome HELD = outcome(course(1, beside(1), 1.9));
  private static final Outcome AS_BESIDE_THE_DECOY = outcome(course(1, beside(4), 5));
  private static final Outcome SLOW = outcome(course(1, beside(1), 5));
  private static final Outcome SLOWER = outcome(course(3, beside(1), 20));

  @Test
  void aTrialIsRunOnceIfTheServerIsNotToBlameForItsP99() {
    assertThat(Runs.NONE.wantAnother()).isTrue();
    assertThat(runs(HELD).wantAnother()).isFalse();
    assertThat(runs(AS_BESIDE_THE_DECOY).wantAnother()).isFalse();
  }

  @Test
  void aTrialIsRunThreeTimesIfTheFirstRunBlamesTheServer() {
    assertThat(runs(SLOW).wantAnother()).isTrue();
    assertThat(runs(SLOW, HELD).wantAnother()).isTrue();
    assertThat(runs(SLOW, HELD, SLOW).wantAnother()).isFalse();
  }

  @Test
  void aTrialThatLostItsDecoyIsRunAgainAndOneThatHadNoneIsNot() {
    assertThat(runs(outcome(course(1, new Control.Lost("it fell"), 5))).wantAnother()).isTrue();
    assertThat(runs(outcome(course(1, new Control.None(), 5))).wantAnother()).isFalse();
  }

  @Test
  void theRunWithTheP99InTheMiddleCounts() {
    assertThat(runs(SLOW, SLOWER, HELD).median()).isSameAs(SLOW);
    assertThat(runs(SLOWER, HELD, HELD).missed()).isEmpty();
  }

  @Test
  void aBarMissedByTwoOfThreeRunsIsMissed() {
    Outcome slowestBesideADecoy = outcome(course(1, beside(40), 50));
    assertThat(runs(SLOW, SLOW, slowestBesideADecoy).missed())
        .extracting(Miss::bar)
        .containsExactly(Bar.P99_OF_SERVER);
    assertThat(runs(SLOW, slowestBesideADecoy, HELD).missed())
        .extracting(Miss::bar)
        .containsExactly(Bar.P99_OF_MACHINE);
  }

  @Test
  void otherMissedBarsCountInEveryRun() {
    Outcome tolerant =
        new Outcome(pingFlood(), 1, course(1, beside(1), 1), NOTHING, TOLERATED, LONG_ENOUGH);
    Outcome failing =
        new Outcome(
            pingFlood(),
            1,
            new HonestCourse(Outcomes.p99(1), beside(1), Outcomes.honest(2_000, 1, 9), ""),
            NOTHING,
            CUT_OFF,
            LONG_ENOUGH);
    assertThat(runs(SLOW, tolerant, failing).missed())
        .extracting(Miss::bar)
        .containsExactlyInAnyOrder(Bar.P99_OF_SERVER, Bar.FATE, Bar.ANSWERS);
  }

  private static Runs runs(Outcome... outcomes) {
    return Stream.of(outcomes).reduce(Runs.NONE, Runs::and, (one, other) -> other);
  }
}
