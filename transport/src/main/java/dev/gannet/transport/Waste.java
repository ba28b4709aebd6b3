package dev.gannet.transport;

import java.time.Duration;

/**
 * How wasteful it is to let a connection keep what it holds, the most wasteful first: in this order
 * connections are closed where memory is short.
 */
enum Waste {
  /** Nothing was ever served to it, and for some seconds nothing has moved. */
  NEVER_SERVED,
  /** Nothing has moved for some seconds. */
  STANDING_STILL,
  /** Nothing was served to it yet; but things move, or it has just come. */
  NOT_SERVED_YET,
  /** One of those, but with so little that those like it cannot be why memory is short. */
  LITTLE,
  /** It is being served, but has not been here for long. */
  NEW,
  /** It is being served. */
  BUSY;

  /** How long nothing may move. */
  static final long STILL_NANOS = Duration.ofSeconds(5).toNanos();

  /** For how long a connection is new. */
  static final long NEW_NANOS = Duration.ofSeconds(10).toNanos();

  /**
   * @param little whether it holds little of what it might
   */
  static Waste of(MemoryBudget.Share share, boolean little, long nowNanos) {
    boolean still = share.stillNanos(nowNanos) >= STILL_NANOS;
    if (share.isServed() && !still) {
      return share.ageNanos(nowNanos) < NEW_NANOS ? NEW : BUSY;
    }
    if (little) {
      return LITTLE;
    }
    if (share.isServed()) {
      return STANDING_STILL;
    }
    return still ? NEVER_SERVED : NOT_SERVED_YET;
  }

  /** Whether more of them are closed at once than are too many, or there would be no end of it. */
  boolean isToMakeRoom() {
    return this == NEVER_SERVED || this == STANDING_STILL || this == NOT_SERVED_YET;
  }

  /** Whether they are being served. */
  boolean isServed() {
    return this == NEW || this == BUSY;
  }

  /** Whether they do nothing but hold. */
  boolean isIdle() {
    return this == NEVER_SERVED || this == STANDING_STILL;
  }

  /** Whether those go first whose address holds the most; honest ones may share a proxy's. */
  boolean goesByAddress() {
    return isToMakeRoom() || this == NEW;
  }
}
