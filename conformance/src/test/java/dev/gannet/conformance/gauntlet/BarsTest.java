package dev.gannet.conformance.gauntlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.conformance.gauntlet.attack.Attacks;
import dev.gannet.conformance.gauntlet.attack.Dossier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What counts as not good enough. */
final class BarsTest {
  private static final long MIB = 1 << 20;
  private static final long MILLI = 1_000_000;
  private static final HonestFigures USUAL = honest(2_000, 0, 5 * MILLI);
  private static final Kept NOTHING = kept(100, 100, 100, 1);
  private static final AttackFigures CUT_OFF =
      new AttackFigures(3, 3, MIB, Map.of("ENHANCE_YOUR_CALM", 3L));
  private static final AttackFigures TOLERATED = new AttackFigures(1, 0, MIB, Map.of());

  @Test
  void anAttackThatNobodyNoticesMissesNothing() {
    assertThat(missed("ping-flood", 1, USUAL, NOTHING, CUT_OFF)).isEmpty();
  }

  @Test
  void aFailedHonestCallMissesABar() {
    assertThat(missed("ping-flood", 1, honest(2_000, 1, 5 * MILLI), NOTHING, CUT_OFF)).isNotEmpty();
  }

  @Test
  void aP99ThatMoreThanDoublesMissesABarWithOneAttackerAlone() {
    HonestFigures slow = honest(2_000, 0, 11 * MILLI);
    assertThat(missed("ping-flood", 1, slow, NOTHING, CUT_OFF)).isNotEmpty();
    assertThat(missed("ping-flood", 50, slow, NOTHING, CUT_OFF)).isEmpty();
  }

  @Test
  void throughputMayFallByATwentiethAndByAFifthAmongMany() {
    HonestFigures ninetyFour = honest(1_880, 0, 5 * MILLI);
    assertThat(missed("ping-flood", 1, ninetyFour, NOTHING, CUT_OFF)).isNotEmpty();
    assertThat(missed("ping-flood", 50, ninetyFour, NOTHING, CUT_OFF)).isEmpty();
    HonestFigures seventyNine = honest(1_580, 0, 5 * MILLI);
    assertThat(missed("ping-flood", 50, seventyNine, NOTHING, CUT_OFF)).isNotEmpty();
  }

  @Test
  void aMibForEachConnectionMissesABar() {
    assertThat(missed("slow-read", 50, USUAL, kept(100, 160, 100, 50), TOLERATED)).isNotEmpty();
    assertThat(missed("slow-read", 50, USUAL, kept(100, 140, 100, 50), TOLERATED)).isEmpty();
  }

  @Test
  void memoryThatDoesNotComeBackMissesABar() {
    assertThat(missed("slow-read", 50, USUAL, kept(100, 120, 120, 50), TOLERATED)).isNotEmpty();
  }

  @Test
  void whoMustBeCutOffMustBe() {
    assertThat(missed("ping-flood", 1, USUAL, NOTHING, TOLERATED)).isNotEmpty();
    assertThat(missed("slow-read", 1, USUAL, NOTHING, TOLERATED)).isEmpty();
    assertThat(missed("slow-tls", 1, USUAL, NOTHING, TOLERATED)).isNotEmpty();
  }

  private static List<String> missed(
      String attack, int attackers, HonestFigures honest, Kept kept, AttackFigures figures) {
    Dossier dossier = Attacks.named(attack).orElseThrow().dossier();
    return Bars.missedBy(
        new Outcome(dossier, attackers, USUAL, honest, "", kept, figures, Duration.ofSeconds(20)));
  }

  private static HonestFigures honest(double answersPerSecond, long failures, long p99Nanos) {
    return new HonestFigures(answersPerSecond, failures, "", p99Nanos / 10, p99Nanos);
  }

  private static Kept kept(long before, long held, long after, int connections) {
    return new Kept(memory(before), memory(held), memory(after), connections);
  }

  private static Memory memory(long mib) {
    return new Memory(mib * MIB, 0);
  }
}
