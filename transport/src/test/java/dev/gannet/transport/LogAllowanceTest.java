package dev.gannet.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which lines are written, and what the others leave behind. */
final class LogAllowanceTest {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private long nowNanos = -7;
  private final LogAllowance allowance = new LogAllowance(() -> nowNanos);
  private final List<String> written = new ArrayList<>();

  private void write(int lines) {
    for (int i = 0; i < lines; i++) {
      allowance.write("failures", rest -> written.add("a failure" + rest));
    }
  }

  @Test
  void tenLinesAtOnceAreWritten() {
    write(12);
    assertThat(written).hasSize(10).containsOnly("a failure");
  }

  @Test
  void theNextLineSaysHowManyWereOmitted() {
    write(13);
    nowNanos += SECOND_NANOS;
    write(2);
    assertThat(written).hasSize(11).last().isEqualTo("a failure (3 more failures were not logged)");
    nowNanos += SECOND_NANOS;
    write(1);
    assertThat(written).last().isEqualTo("a failure (1 more failures were not logged)");
  }

  @Test
  void afterAPauseTenLinesAreAllowedAgain() {
    write(10);
    nowNanos += 100 * SECOND_NANOS;
    write(12);
    assertThat(written).hasSize(20).containsOnly("a failure");
  }
}
