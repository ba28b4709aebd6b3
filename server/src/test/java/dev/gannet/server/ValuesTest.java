package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the objects that only carry values compute and print. */
final class ValuesTest {
  private static final Optional<Instant> NEVER = Optional.empty();

  private static LoadShedding.Snapshot shedding(int limit) {
    return new LoadShedding.Snapshot(new LoadShedding.Snapshot.Values(limit, 2, 3, 4, 5));
  }

  @Test
  void snapshotsOfSheddingAreEqualIfTheirCountsAre() {
    assertThat(shedding(1)).isEqualTo(shedding(1)).hasSameHashCodeAs(shedding(1));
    assertThat(shedding(1)).isNotEqualTo(shedding(2)).isNotEqualTo(1);
    assertThat(shedding(1)).asString().startsWith("Snapshot[limit=1, callsUnderWay=2,");
  }

  @Test
  void runningCallsAreThoseThatHaveNotEnded() {
    CallCounts counts =
        new CallCounts(
            new CallCounts.Values(
                9, 2, 4, Map.of(Status.Code.OK, 3L, Status.Code.NOT_FOUND, 1L), 0, 0, NEVER));
    assertThat(counts.underWay()).isEqualTo(5);
    assertThat(counts.queued()).isEqualTo(2);
    assertThat(counts.allEnded()).isEqualTo(4);
    assertThat(counts.ended(Status.Code.OK)).isEqualTo(3);
    assertThat(counts.ended(Status.Code.ABORTED)).isZero();
    assertThat(counts).asString().startsWith("CallCounts[started=9,");
  }
}
