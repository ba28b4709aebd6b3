package dev.gannet.conformance.gauntlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is counted at the end of a table. */
final class SummaryTest {
  @Test
  void aTrialThatMissesNothingHoldsEveryBar() {
    assertThat(summary(row(), row(), row(Bar.P99_OF_MACHINE)))
        .contains("| of 3 trials | gannet |", "| all criteria met | 2 |");
  }

  @Test
  void aTrialCountsForEachBarThatItMisses() {
    assertThat(summary(row(Bar.FATE, Bar.KEPT), row(Bar.FATE)))
        .contains(
            "| an attacker should have been disconnected and was not | 2 |",
            "| more than 1 MiB was kept for an attacking connection | 1 |",
            "| the server crashed | 0 |");
  }

  @Test
  void aTrialCountsOnceForABarThatItMissesTwice() {
    assertThat(summary(row(Bar.ANSWERS, Bar.ANSWERS))).contains("| honest calls failed | 1 |");
  }

  @Test
  void aP99CountsOnlyIfNoOtherBarIsMissed() {
    Row both = row(Bar.P99_OF_SERVER, Bar.FATE);
    Row servers = row(Bar.P99_OF_SERVER);
    Row machines = row(Bar.P99_OF_MACHINE);
    assertThat(summary(both, servers, machines, machines))
        .contains(
            "| only honest p99 with one attacker was over its limit, but at most twice the value"
                + " with the decoy | 2 |",
            "| only honest p99 with one attacker was over its limit, and over twice the value with"
                + " the decoy, if there was one | 1 |");
  }

  @Test
  void aMissedBarIsToleratedOnlyForTheP99OfTheMachine() {
    assertThat(row().isGoodEnough()).isTrue();
    assertThat(row(Bar.P99_OF_MACHINE).isGoodEnough()).isTrue();
    assertThat(row(Bar.P99_OF_SERVER).isGoodEnough()).isFalse();
    assertThat(row(Bar.P99_OF_MACHINE, Bar.FATE).isGoodEnough()).isFalse();
  }

  private static List<String> summary(Row... rows) {
    StringWriter text = new StringWriter();
    Summary.print(new PrintWriter(text), ServerKind.GANNET, List.of(rows));
    return text.toString().lines().toList();
  }

  private static Row row(Bar... missed) {
    List<Miss> misses = Stream.of(missed).map(it -> new Miss(it, "")).toList();
    return new Row(ServerKind.GANNET, Outcomes.pingFlood(), 1, Optional.empty(), misses);
  }
}
