package dev.gannet.suites;

/** One of the two ends of a connection. */
public enum Side {
  /** The end that connected. */
  CLIENT,
  /** The end that accepted. */
  SERVER;

  /** The end at the other side. */
  public Side other() {
    return this == CLIENT ? SERVER : CLIENT;
  }
}
