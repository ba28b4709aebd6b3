package dev.gannet.http2.time;

import dev.gannet.http2.PingPolicy;
import dev.gannet.http2.Timeouts;

/**
 * Watches whether a peer is still there (gRFC A8).
 *
 * <pre>
 *   QUIET ──silent too long: PING──► ASKED ──nothing came──► given up
 *     ▲                                │
 *     └───────anything arrives─────────┘
 * </pre>
 *
 * <p>Silence is counted from the last byte read; if idle peers are sent no PINGs, from the first
 * stream after an idle time if that is later. Reading costs two writes to fields.
 */
public final class KeepaliveWatch {
  /** What must be done. */
  public enum Action {
    WAIT,
    SEND_PING,
    GIVE_UP
  }

  private final PingPolicy rule;
  private long quietSinceNanos;
  private long askedNanos;
  private boolean asked;
  private boolean busy;

  public KeepaliveWatch(PingPolicy rule, long nowNanos) {
    this.rule = rule;
    this.quietSinceNanos = nowNanos;
    this.busy = rule.whenIdle() == PingPolicy.WhenIdle.ASK;
  }

  /** Something arrived. */
  public void onRead(long nowNanos) {
    quietSinceNanos = nowNanos;
    asked = false;
  }

  /** The watching side was paused for that long: this does not count as silence. */
  public void onPause(long pausedNanos) {
    quietSinceNanos += pausedNanos;
    askedNanos += pausedNanos;
  }

  /** Sets whether streams are open. */
  public void setBusy(boolean hasStreams, long nowNanos) {
    if (rule.whenIdle() == PingPolicy.WhenIdle.LEAVE_ALONE) {
      if (hasStreams && !busy && !asked) {
        quietSinceNanos = nowNanos;
      }
      busy = hasStreams;
    }
  }

  /** When {@link #onTime} must be called; {@link Timeouts#NEVER} if not at all. */
  public long dueNanos() {
    long sinceNanos = asked ? askedNanos : quietSinceNanos;
    long waitNanos = asked ? rule.answerNanos() : rule.silenceNanos();
    boolean waits = asked || busy;
    return waits && rule.isOn() && waitNanos < Timeouts.FAR_NANOS
        ? sinceNanos + waitNanos
        : Timeouts.NEVER;
  }

  /** What must be done now. */
  public Action onTime(long nowNanos) {
    long dueNanos = dueNanos();
    if (dueNanos == Timeouts.NEVER || nowNanos - dueNanos < 0) {
      return Action.WAIT;
    }
    if (asked) {
      return Action.GIVE_UP;
    }
    asked = true;
    askedNanos = nowNanos;
    return Action.SEND_PING;
  }
}
