package dev.gannet.conformance.gauntlet.wire;

/** Whether an attacker reads what the server says. */
public enum Reading {
  /** At once and all of it. */
  EAGER,
  /** Not before the end, when only the last words matter. */
  NEVER
}
