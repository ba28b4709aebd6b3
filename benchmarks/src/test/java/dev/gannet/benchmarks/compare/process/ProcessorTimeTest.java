package dev.gannet.benchmarks.compare.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a machine's host takes, and what other processes do. */
final class ProcessorTimeTest {
  private static final ProcessorTime EARLIER =
      of("cpu  100 0 100 700 0 0 0 100 50 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n", "10 20 30 40");
  private static final ProcessorTime LATER =
      of("cpu  150 4 140 780 0 2 4 120 90 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n", "15 30 45 60");

  @Test
  void stolenTimeIsAPercentageOfAllTicksInBetween() {
    assertThat(LATER.stolenPercentSince(EARLIER)).isEqualTo(100.0 * 20 / 200);
  }

  @Test
  void timeOfOthersIsBusyTimeWithoutOursAndOurChildrens() {
    assertThat(LATER.othersPercentSince(EARLIER)).isEqualTo(100.0 * (100 - 50) / 200);
  }

  @Test
  void aSystemWithoutTheFiguresHasNoProcessorTime() {
    assertThat(ProcessorTime.of("cpu  100 0 100 700\n", stat("1 2 3 4"))).isEmpty();
    assertThat(ProcessorTime.of("", stat("1 2 3 4"))).isEmpty();
  }

  private static ProcessorTime of(String machine, String times) {
    return ProcessorTime.of(machine, stat(times)).orElseThrow();
  }

  /** A process with a name that looks like the end of one. */
  private static String stat(String times) {
    return "4711 (a (b) c) S 1 2 3 0 -1 4194560 100 200 3 4 " + times + " 20 0 40 0\n";
  }
}
