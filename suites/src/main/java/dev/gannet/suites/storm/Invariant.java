package dev.gannet.suites.storm;

import java.util.function.Supplier;

/** How rules are laid down. */
final class Invariant {
  private Invariant() {}

  /**
   * Sees to it that a rule holds.
   *
   * @throws AssertionError with those words if it does not
   */
  static void holds(boolean rule, Supplier<String> otherwise) {
    if (!rule) {
      throw new AssertionError(otherwise.get());
    }
  }
}
