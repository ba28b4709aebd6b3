package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.server.call.CallCounter;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the objects that only carry values compute and print. */
final class ValuesTest {
  private static final Optional<Instant> NEVER = Optional.empty();

  private static LoadShedding.Snapshot shedding(int limit) {
    return new LoadShedding.Snapshot(new LoadShedding.Snapshot.Counts(limit, 2, 3, 4, 5));
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
            new CallCounter.Values(
                9, 2, 4, Map.of(Status.Code.OK, 3L, Status.Code.NOT_FOUND, 1L), 0, 0, NEVER));
    assertThat(counts.underWay()).isEqualTo(5);
    assertThat(counts.queued()).isEqualTo(2);
    assertThat(counts.allEnded()).isEqualTo(4);
    assertThat(counts.ended(Status.Code.OK)).isEqualTo(3);
    assertThat(counts.ended(Status.Code.ABORTED)).isZero();
    assertThat(counts).asString().startsWith("CallCounts[started=9,");
  }

  @Test
  void settingsOfSheddingAreEqualIfAllAreSetAlike() {
    LoadShedding one = LoadShedding.adaptive();
    assertThat(one).isEqualTo(LoadShedding.adaptive()).hasSameHashCodeAs(LoadShedding.adaptive());
    assertThat(one)
        .isNotEqualTo(one.withInitialLimit(7))
        .isNotEqualTo(one.withMaxLimit(7))
        .isNotEqualTo(one.withMaxStreams(7))
        .isNotEqualTo(one.withStatus(Status.Code.UNAVAILABLE))
        .isNotEqualTo(one.withPushback(Duration.ofMillis(7)))
        .isNotEqualTo(one.withExempt("a.B"))
        .isNotEqualTo(1);
    assertThat(one.maxStreams()).isEmpty();
    assertThat(one.withMaxStreams(7).maxStreams()).hasValue(7);
    assertThat(one.withMaxLimit(7).initialLimit()).isLessThanOrEqualTo(7);
    assertThat(one.withStatus(Status.Code.UNAVAILABLE).status()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(one.withPushback(Duration.ofMillis(7)).pushback()).hasMillis(7);
    assertThat(one.withMaxStreams(7)).asString().contains("7");
  }

  @Test
  void exemptServicesAreAddedToThoseBefore() {
    LoadShedding two = LoadShedding.adaptive().withExempt("a.B").withExempt("a.C", "a.B");
    assertThat(two.exempt()).containsExactlyInAnyOrder("a.B", "a.C");
    assertThat(LoadShedding.adaptive().exempt()).isEmpty();
    assertThat(two)
        .isEqualTo(LoadShedding.adaptive().withExempt("a.C", "a.B"))
        .hasSameHashCodeAs(LoadShedding.adaptive().withExempt("a.C", "a.B"))
        .isEqualTo(two.withPushback(Duration.ofSeconds(1)).withPushback(two.pushback()))
        .asString()
        .endsWith(", exempt=[a.B, a.C]]");
    assertThat(LoadShedding.adaptive().withExempt()).isEqualTo(LoadShedding.adaptive());
    assertThat(LoadShedding.adaptive().withMaxLimit(7).withExempt("a.B"))
        .isEqualTo(LoadShedding.adaptive().withExempt("a.B").withMaxLimit(7));
  }
}
