package dev.gannet.benchmarks.compare.trial;

import java.util.Optional;

/**
 * What warming up has found.
 *
 * @param rate at its end, in calls per second; 0 if there is none
 * @param reservation what it falls short of
 */
record Warmth(double rate, Optional<String> reservation) {
  /** The warmth of what has no rate. */
  static final Warmth NONE = new Warmth(0, Optional.empty());
}
