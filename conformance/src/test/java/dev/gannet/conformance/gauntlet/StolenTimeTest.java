package dev.gannet.conformance.gauntlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the host of a virtual machine took is read from the kernel's statistics. */
final class StolenTimeTest {
  private static final String EACH = "cpu0 1 1 1 1 1 1 1 1 0 0";

  @Test
  void stolenTimeIsTheEighthColumnOfTheCpuLine() {
    assertThat(StolenTime.of(List.of(EACH, "cpu  100 5 20 800 4 0 1 70 33 0", "intr 7")))
        .contains(new StolenTime(1_000, 70));
  }

  @Test
  void stolenTimeIsAPercentageOfTheTimeInBetween() {
    StolenTime earlier = new StolenTime(1_000, 70);
    assertThat(new StolenTime(3_000, 75).since(earlier)).isEqualTo("0.3 %");
    assertThat(earlier.since(earlier)).isEqualTo("0.0 %");
  }

  @Test
  void systemsThatDoNotCountItHaveNoStolenTime() {
    assertThat(StolenTime.of(List.of("cpu  100 5 20 800"))).isEmpty();
    assertThat(StolenTime.of(List.of())).isEmpty();
  }
}
