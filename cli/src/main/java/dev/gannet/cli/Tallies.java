package dev.gannet.cli;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The results of calls by kind. For one thread at a time. */
final class Tallies {
  private final Map<CallKind, Tally> byKind = new EnumMap<>(CallKind.class);

  Tallies() {
    for (CallKind kind : CallKind.values()) {
      byKind.put(kind, new Tally());
    }
  }

  Tally of(CallKind kind) {
    return Objects.requireNonNull(byKind.get(kind));
  }

  /** Counts failures before the measurement. */
  void addErrors(CallKind kind, Tally warmUp) {
    of(kind).addErrors(warmUp);
  }

  /** The sum of all kinds. */
  Tally total() {
    Tally total = new Tally();
    byKind.values().forEach(total::add);
    return total;
  }

  /** Whether there were calls of each kind, and all succeeded. */
  boolean areRight() {
    return byKind.values().stream().allMatch(it -> it.errors() == 0 && it.calls() > 0);
  }
}
