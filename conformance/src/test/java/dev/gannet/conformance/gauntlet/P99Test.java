package dev.gannet.conformance.gauntlet;

import static dev.gannet.conformance.gauntlet.Outcomes.beside;
import static dev.gannet.conformance.gauntlet.Outcomes.course;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a p99 under attack is too high, and whose doing that is. */
final class P99Test {
  private static final Control NONE = new Control.None();

  @Test
  void aP99MayDouble() {
    assertThat(P99.missedBy(course(5, NONE, 10))).isEmpty();
    assertThat(P99.missedBy(course(5, NONE, 10.1))).isPresent();
  }

  @Test
  void aP99BelowTwoMillisecondsNeverMissesABar() {
    assertThat(P99.missedBy(course(0.4, beside(0.4), 1.9))).isEmpty();
    assertThat(P99.missedBy(course(0.4, beside(0.4), 2.1))).isPresent();
  }

  @Test
  void aP99ThatDoublesMissesABarEvenIfTheDecoyExplainsIt() {
    assertThat(P99.missedBy(course(1, beside(3.9), 4.3)))
        .contains(new Miss(Bar.P99_OF_MACHINE, "p99 4.3 times (with the decoy: 3.9 times)"));
  }

  @Test
  void theServerIsToBlameForAP99OverTwiceThatWithTheDecoy() {
    assertThat(P99.missedBy(course(1, beside(1.1), 4.3)))
        .contains(
            new Miss(
                Bar.P99_OF_SERVER,
                "p99 4.3 times (with the decoy: 1.1 times, over that limit as well)"));
  }

  @Test
  void aDecoyWithALowerP99ChangesNoBar() {
    assertThat(P99.missedBy(course(2, beside(1), 3.9))).isEmpty();
    assertThat(P99.blamesServer(course(2, beside(1), 3.9))).isFalse();
  }

  @Test
  void withoutAControlTheServerIsToBlame() {
    assertThat(P99.missedBy(course(1, NONE, 4.3)))
        .contains(new Miss(Bar.P99_OF_SERVER, "p99 4.3 times"));
  }

  @Test
  void aRowSaysThatItsControlIsMissing() {
    assertThat(P99.missedBy(course(1, new Control.Lost("the decoy crashed"), 4.3)))
        .contains(new Miss(Bar.P99_OF_SERVER, "p99 4.3 times (no control: the decoy crashed)"));
  }
}
