package dev.gannet.http2.time;

import dev.gannet.http2.Timeouts;

/** The timers of one connection: at most one time for each matter. */
public final class DueTimes {
  /** Something that comes due. */
  public enum Matter {
    /** The peer's preface and first SETTINGS (RFC 9113 §3.4). */
    HANDSHAKE(0),
    /** The end of a frame or header block that has begun (RFC 9113 §4.1, §6.10). */
    FRAME(1),
    /** The acknowledgement of our SETTINGS (RFC 9113 §6.5.3). */
    SETTINGS_ACK(2),
    /** A check whether bytes are being sent. */
    STALL(3),
    /** A PING, or the end of waiting for a reaction to it. */
    KEEPALIVE(4);

    private final int place;

    Matter(int place) {
      this.place = place;
    }
  }

  private final long[] dueNanos = new long[Matter.values().length];
  private int pending;

  /** Nothing is due. */
  public DueTimes() {}

  /** Sets the matter's time to that long after now; {@link Timeouts#NEVER} sets no time. */
  public void set(Matter matter, long nowNanos, long waitNanos) {
    if (waitNanos >= Timeouts.FAR_NANOS) {
      clear(matter);
    } else {
      setAt(matter, nowNanos + waitNanos);
    }
  }

  /** Sets the matter's time; {@link Timeouts#NEVER} removes it. */
  public void setAt(Matter matter, long atNanos) {
    if (atNanos == Timeouts.NEVER) {
      clear(matter);
    } else {
      dueNanos[matter.place] = atNanos;
      pending |= bit(matter);
    }
  }

  /** Moves the matter's time, if it has one, to that long after now. */
  public void postpone(Matter matter, long nowNanos, long waitNanos) {
    if (isSet(matter)) {
      set(matter, nowNanos, waitNanos);
    }
  }

  /** Moves the times of all matters by that much. */
  public void postponeAll(long nanos) {
    for (int place = 0; place < dueNanos.length; place++) {
      dueNanos[place] += nanos;
    }
  }

  /** Removes the matter's time. */
  public void clear(Matter matter) {
    pending &= ~bit(matter);
  }

  /** Whether the matter has a time. */
  public boolean isSet(Matter matter) {
    return (pending & bit(matter)) != 0;
  }

  /** Whether the matter's time has come. */
  public boolean isDue(Matter matter, long nowNanos) {
    return isSet(matter) && dueNanos[matter.place] - nowNanos <= 0;
  }

  /** The earliest of all times; {@link Timeouts#NEVER} if there is none. */
  public long nextNanos() {
    long next = Timeouts.NEVER;
    for (int left = pending; left != 0; left &= left - 1) {
      long due = dueNanos[Integer.numberOfTrailingZeros(left)];
      next = Timeouts.earlier(next, due);
    }
    return next;
  }

  private static int bit(Matter matter) {
    return 1 << matter.place;
  }
}
