package dev.gannet.suites.storm;

import java.util.function.Supplier;

/** Checks rules. */
final class Invariant {
  private Invariant() {}

  /**
   * Checks that a rule holds.
   *
   * @throws AssertionError with that text if it does not
   */
  static void holds(boolean rule, Supplier<String> otherwise) {
    if (!rule) {
      throw new AssertionError(otherwise.get());
    }
  }
}
