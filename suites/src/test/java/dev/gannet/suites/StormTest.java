package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.suites.storm.Storm;
import dev.gannet.suites.storm.StormReport;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever happens, each call ends once and in time, hears nothing but what was said to it, and
 * leaves nothing behind.
 *
 * <p>{@code -Dgannet.seeds=N} plays so many seeds, {@code -Dgannet.seed=S} that one alone.
 */
final class StormTest {
  private static final int SEEDS = 600;

  /** With so many seeds, everything that can happen does. */
  private static final int ENOUGH_FOR_ALL = 200;

  /** Handlers throw as planned, and nobody needs to read of it a thousand times. */
  private static final Logger LOG = Logger.getLogger("dev.gannet");

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  static LongStream seeds() {
    Long single = Long.getLong("gannet.seed");
    return single == null
        ? LongStream.range(0, Integer.getInteger("gannet.seeds", SEEDS))
        : LongStream.of(single);
  }

  /** Rules that hold where nothing happens say little: much must have happened. */
  @ParameterizedTest
  @EnumSource
  void everyRuleHoldsInEveryStorm(Storm.Medium medium) {
    List<StormReport> reports = seeds().mapToObj(seed -> play(seed, medium)).toList();
    int seeds = reports.size();
    if (seeds >= ENOUGH_FOR_ALL) {
      assertAllEndsHappened(reports);
    }
    if (seeds >= ENOUGH_FOR_ALL && medium == Storm.Medium.NETWORK) {
      assertThat(reports.stream().mapToInt(StormReport::resets).sum()).isGreaterThan(2 * seeds);
      assertThat(reports.stream().mapToInt(StormReport::goAways).sum()).isGreaterThan(2 * seeds);
      assertThat(reports.stream().mapToInt(StormReport::connections).sum())
          .isGreaterThan(2 * seeds);
    }
  }

  private static void assertAllEndsHappened(List<StormReport> reports) {
    Map<Status.Code, Integer> ends = new EnumMap<>(Status.Code.class);
    reports.forEach(
        it -> it.calls().forEach((code, count) -> ends.merge(code, count, Integer::sum)));
    assertThat(ends.get(Status.Code.OK)).isGreaterThan(10 * reports.size());
    assertThat(ends)
        .containsKeys(
            Status.Code.CANCELLED,
            Status.Code.DEADLINE_EXCEEDED,
            Status.Code.UNAVAILABLE,
            Status.Code.RESOURCE_EXHAUSTED)
        .allSatisfy((code, count) -> assertThat(count).isPositive());
  }

  private static StormReport play(long seed, Storm.Medium medium) {
    try {
      StormReport report = new Storm(seed, medium).play();
      assertThat(report.calls()).isNotEmpty();
      return report;
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + " (again with -Dgannet.seed=" + seed + ")", e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theSameSeedAlwaysGivesTheSameStorm(Storm.Medium medium) {
    for (long seed = 0; seed < 20; seed++) {
      StormReport first = new Storm(seed, medium).play();
      assertThat(new Storm(seed, medium).play()).as("seed %d", seed).isEqualTo(first);
    }
  }
}
