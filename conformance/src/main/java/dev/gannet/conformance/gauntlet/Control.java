package dev.gannet.conformance.gauntlet;

/**
 * How honest clients fare while the attackers are busy with a decoy: with a second server of the
 * same kind, on the same machine, that no honest client calls.
 */
sealed interface Control {
  record Beside(HonestFigures honest) implements Control {}

  /** There was to be one, but the decoy or what attacks it is gone. */
  record Lost(String why) implements Control {}

  /** There was to be none. */
  record None() implements Control {}
}
