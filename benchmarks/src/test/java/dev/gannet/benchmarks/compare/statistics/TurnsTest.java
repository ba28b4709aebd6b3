package dev.gannet.benchmarks.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which two candidates run. */
final class TurnsTest {
  @Test
  void twoProgramsAlternateStartingWithTheFirst() {
    assertThat(Turns.of("A", "B", 3)).containsExactly("A", "B", "A", "B", "A", "B");
  }

  @Test
  void eachOfSeveralProgramsHasEveryPositionOnce() {
    List<String> all = List.of("A", "B", "C");

    assertThat(Turns.rotated(all, 0)).containsExactly("A", "B", "C");
    assertThat(Turns.rotated(all, 1)).containsExactly("B", "C", "A");
    assertThat(Turns.rotated(all, 2)).containsExactly("C", "A", "B");
    assertThat(Turns.rotated(all, 3)).containsExactly("A", "B", "C");
  }
}
