package dev.gannet.benchmarks.compare.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a virtual machine's host takes. */
final class StolenTimeTest {
  private static final List<String> EARLIER =
      List.of("cpu  100 0 100 700 0 0 0 100 50 0", "cpu0 1 2 3 4 5 6 7 8 9 0", "intr 5");
  private static final List<String> LATER =
      List.of("cpu  150 0 150 780 0 0 0 120 90 0", "cpu0 1 2 3 4 5 6 7 8 9 0");

  @Test
  void whatWasStolenIsAShareOfAllTicksMeanwhile() {
    StolenTime earlier = StolenTime.of(EARLIER).orElseThrow();
    StolenTime later = StolenTime.of(LATER).orElseThrow();

    assertThat(later.percentSince(earlier)).isEqualTo(100.0 * 20 / 200);
  }

  @Test
  void aSystemThatDoesNotTellHasNone() {
    assertThat(StolenTime.of(List.of("cpu  100 0 100 700"))).isEmpty();
    assertThat(StolenTime.of(List.of())).isEmpty();
  }
}
