package dev.gannet.conformance.gauntlet;

/**
 * The control measurement: how honest clients fare while the attackers attack a decoy, a second
 * server of the same kind on the same machine that no honest client calls.
 */
sealed interface Control {
  record Beside(HonestFigures honest) implements Control {}

  /** A control was planned, but the decoy or its attackers have failed. */
  record Lost(String why) implements Control {}

  /** No control was planned. */
  record None() implements Control {}
}
