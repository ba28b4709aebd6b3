package dev.gannet.benchmarks.compare.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What Linux tells of processes. */
final class ProcFilesTest {
  @Test
  void processorTimeIsThatOfUserAndSystem() {
    String stat =
        "4711 (java) S 1 2 3 0 -1 4194560 100 200 3 4 1234 66 7 8 20 0 40 0 9999 1 2 3 4 5";

    assertThat(ProcFiles.cpuNanos(stat)).isEqualTo((1234 + 66) * 10_000_000L);
  }

  @Test
  void spacesAndParenthesesOfANameAreNoFieldSeparators() {
    String stat = "4711 (a (b) c) S 1 2 3 0 -1 4194560 100 200 3 4 5 6 7 8 20 0 40 0";

    assertThat(ProcFiles.cpuNanos(stat)).isEqualTo(11 * 10_000_000L);
  }

  @Test
  void residentMemoryIsReadInKibibytes() {
    String status = "Name:\tjava\nVmPeak:\t  999 kB\nVmRSS:\t  118456 kB\nThreads:\t12\n";

    assertThat(ProcFiles.residentBytes(status)).hasValue(118_456L * 1024);
  }

  @Test
  void aStatusWithoutMemoryIsEmpty() {
    assertThat(ProcFiles.residentBytes("Name:\tkthreadd\n")).isEmpty();
  }

  @Test
  void thisProcessHasUsedTime() {
    assertThat(ProcFiles.cpuNanos(ProcessHandle.current())).isPositive();
  }
}
