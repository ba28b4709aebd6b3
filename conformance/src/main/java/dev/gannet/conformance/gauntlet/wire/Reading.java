package dev.gannet.conformance.gauntlet.wire;

/** Whether an attacker reads what the server sends. */
public enum Reading {
  /** Immediately and completely. */
  EAGER,
  /** Only at the end, for the server's last frames. */
  NEVER
}
