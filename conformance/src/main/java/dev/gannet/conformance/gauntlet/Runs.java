package dev.gannet.conformance.gauntlet;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The outcomes of one trial's runs, in order: one, or three if a control was planned and the first
 * run blamed the server for a p99, because a single window of a few seconds may be bad luck.
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

  /** The median run, ordered by how many limits its p99 exceeds, then by p99 itself. */
  Outcome median() {
    return outcomes.stream()
        .sorted(
            Comparator.comparingInt((Outcome it) -> P99.barsMissed(it.honest()))
                .thenComparingLong(it -> it.honest().attacked().p99Nanos()))
        .toList()
        .get(outcomes.size() / 2);
  }

  /**
   * The criteria that the median has missed, and those other than p99 that any run has missed,
   * because luck does not explain those.
   */
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
