package dev.gannet.benchmarks.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who is next. */
final class TurnsTest {
  @Test
  void bothAlternateAndTheFirstBegins() {
    assertThat(Turns.of("A", "B", 3)).containsExactly("A", "B", "A", "B", "A", "B");
  }
}
