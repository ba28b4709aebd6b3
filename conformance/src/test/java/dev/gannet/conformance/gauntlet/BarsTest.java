package dev.gannet.conformance.gauntlet;

import static dev.gannet.conformance.gauntlet.Outcomes.CUT_OFF;
import static dev.gannet.conformance.gauntlet.Outcomes.NOTHING;
import static dev.gannet.conformance.gauntlet.Outcomes.TOLERATED;
import static dev.gannet.conformance.gauntlet.Outcomes.honest;
import static dev.gannet.conformance.gauntlet.Outcomes.kept;
import static dev.gannet.conformance.gauntlet.Outcomes.p99;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What counts as not good enough. */
final class BarsTest {
  private static final HonestFigures USUAL = p99(5);

  @Test
  void anAttackWithoutAnEffectMissesNoBar() {
    assertThat(missed("ping-flood", 1, USUAL, NOTHING, CUT_OFF)).isEmpty();
  }

  @Test
  void aFailedHonestCallMissesABar() {
    assertThat(missed("ping-flood", 1, honest(2_000, 1, 5), NOTHING, CUT_OFF))
        .containsExactly(Bar.ANSWERS);
  }

  @Test
  void aP99ThatMoreThanDoublesMissesABarOnlyWithOneAttacker() {
    assertThat(missed("ping-flood", 1, p99(11), NOTHING, CUT_OFF))
        .containsExactly(Bar.P99_OF_SERVER);
    assertThat(missed("ping-flood", 50, p99(11), NOTHING, CUT_OFF)).isEmpty();
  }

  @Test
  void throughputMayFallByATwentiethAndByAFifthAmongMany() {
    HonestFigures ninetyFour = honest(1_880, 0, 5);
    assertThat(missed("ping-flood", 1, ninetyFour, NOTHING, CUT_OFF))
        .containsExactly(Bar.THROUGHPUT);
    assertThat(missed("ping-flood", 50, ninetyFour, NOTHING, CUT_OFF)).isEmpty();
    HonestFigures seventyNine = honest(1_580, 0, 5);
    assertThat(missed("ping-flood", 50, seventyNine, NOTHING, CUT_OFF))
        .containsExactly(Bar.THROUGHPUT);
  }

  @Test
  void aMibForEachConnectionMissesABar() {
    assertThat(missed("slow-read", 50, USUAL, kept(100, 160, 100, 50), TOLERATED))
        .containsExactly(Bar.KEPT);
    assertThat(missed("slow-read", 50, USUAL, kept(100, 140, 100, 50), TOLERATED)).isEmpty();
  }

  @Test
  void memoryThatIsNotReleasedMissesABar() {
    assertThat(missed("slow-read", 50, USUAL, kept(100, 120, 120, 50), TOLERATED))
        .containsExactly(Bar.MEMORY_BACK);
  }

  @Test
  void anAttackerThatIsWronglyToleratedMissesABar() {
    assertThat(missed("ping-flood", 1, USUAL, NOTHING, TOLERATED)).containsExactly(Bar.FATE);
    assertThat(missed("slow-read", 1, USUAL, NOTHING, TOLERATED)).isEmpty();
    assertThat(missed("slow-tls", 1, USUAL, NOTHING, TOLERATED)).containsExactly(Bar.FATE);
  }

  private static List<Bar> missed(
      String attack, int attackers, HonestFigures honest, Kept kept, AttackFigures figures) {
    Outcome outcome =
        new Outcome(
            Outcomes.description(attack),
            attackers,
            new HonestCourse(USUAL, new Control.None(), honest, ""),
            kept,
            figures,
            Outcomes.LONG_ENOUGH);
    return Bars.missedBy(outcome).stream().map(Miss::bar).toList();
  }
}
