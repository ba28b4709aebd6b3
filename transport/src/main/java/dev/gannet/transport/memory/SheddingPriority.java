package dev.gannet.transport.memory;

import java.time.Duration;

/**
 * How wasteful it is to keep what a connection holds, the most wasteful first. Connections are
 * closed in this order when memory is short.
 */
enum SheddingPriority {
  /** The connection was never served, and nothing has moved for some seconds. */
  NEVER_SERVED,
  /** Nothing has moved for some seconds. */
  STANDING_STILL,
  /** The connection was not served yet, but bytes move, or it is new. */
  NOT_SERVED_YET,
  /**
   * One of the above, but it holds so little that connections like it cannot be the reason why
   * memory is short.
   */
  LITTLE,
  /** The connection is being served, but is new. */
  NEW,
  /** The connection is being served. */
  BUSY;

  /** A connection that moves nothing for this long stands still. */
  static final long STILL_NANOS = Duration.ofSeconds(5).toNanos();

  /** A connection is new for this long. */
  static final long NEW_NANOS = Duration.ofSeconds(10).toNanos();

  /**
   * @param little whether it holds only a small part of what it might
   */
  static SheddingPriority of(MemoryLimiter.Share share, boolean little, long nowNanos) {
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

  /**
   * How much of the limit is free after connections of this class were closed. Without some room
   * the next bytes would need another choice among all connections, and under an attack choosing
   * would cost as much as the attack itself.
   */
  long roomBytes(long limitBytes) {
    return switch (this) {
      case NEVER_SERVED, STANDING_STILL, NOT_SERVED_YET -> limitBytes / 8;
      case LITTLE, NEW -> limitBytes / 64;
      case BUSY -> 0;
    };
  }

  /** Whether these connections are being served. */
  boolean isServed() {
    return this == NEW || this == BUSY;
  }

  /** Whether these connections only hold memory and move nothing. */
  boolean isIdle() {
    return this == NEVER_SERVED || this == STANDING_STILL;
  }

  /**
   * Whether connections whose address holds the most go first; not for {@link #LITTLE} and {@link
   * #BUSY}, because honest clients may share the address of a proxy.
   */
  boolean goesByAddress() {
    return this != LITTLE && this != BUSY;
  }
}
