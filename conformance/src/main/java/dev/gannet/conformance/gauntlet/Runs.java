package dev.gannet.conformance.gauntlet;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the runs of one trial have found, in their order: one, or three if there was to be a control
 * and the first blamed the server for a p99, as one window of a few seconds may be bad luck.
 */
record Runs(List<Outcome> outcomes) {
  static final Runs NONE = new Runs(List.of());

  private static final int MOST = 3;

  Runs and(Outcome outcome) {
    return new Runs(Stream.concat(outcomes.stream(), Stream.of(outcome)).toList());
  }

  boolean wantAnother() {
    return outcomes.isEmpty() || (outcomes.size() < MOST && isDoubtful(outcomes.getFirst()));
  }

  int count() {
    return outcomes.size();
  }

  /** The one in the middle, by how many of its bars p99 is over, then by p99 itself. */
  Outcome median() {
    return outcomes.stream()
        .sorted(
            Comparator.comparingInt((Outcome it) -> P99.barsMissed(it.honest()))
                .thenComparingLong(it -> it.honest().attacked().p99Nanos()))
        .toList()
        .get(outcomes.size() / 2);
  }

  /** What the median has missed, and what others have missed beside p99: no luck excuses that. */
  List<Miss> missed() {
    Stream<Miss> besideP99 =
        outcomes.stream()
            .flatMap(it -> Bars.missedBy(it).stream())
            .filter(it -> !it.bar().isOfP99());
    return Stream.concat(Bars.missedBy(median()).stream(), besideP99).distinct().toList();
  }

  private static boolean isDoubtful(Outcome first) {
    boolean controlled = !(first.honest().control() instanceof Control.None);
    return controlled && first.attackers() == 1 && P99.blamesServer(first.honest());
  }
}
