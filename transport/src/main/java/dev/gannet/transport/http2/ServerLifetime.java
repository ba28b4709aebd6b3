package dev.gannet.transport.http2;

import dev.gannet.http2.Timeouts;
import dev.gannet.transport.ConnectionAge;

/**
 * Sees to it that a server's connection does not grow too old, and is not without calls for too
 * long (gRFC A9). A call counts until its handler has come back.
 */
final class ServerLifetime {
  private final ConnectionAge limits;
  private final ConnectionLoop loop;
  private final ServerDrain drain;
  private final LoopTimer idleTimer;
  private long idleSinceNanos;

  ServerLifetime(ConnectionAge limits, ConnectionLoop loop, ServerDrain drain) {
    this.limits = limits;
    this.loop = loop;
    this.drain = drain;
    this.idleTimer = new LoopTimer(loop, this::onIdleTimer);
  }

  /** The connection begins now. */
  void start() {
    if (limits.maxAgeNanos() < Timeouts.FAR_NANOS) {
      new LoopTimer(loop, () -> drain.begin("max_age", limits.graceNanos()))
          .set(loop.nanoTime() + limits.maxAgeNanos());
    }
    onCallGone();
  }

  /** A call is over, its handler too. */
  void onCallGone() {
    if (limits.maxIdleNanos() < Timeouts.FAR_NANOS && isIdle()) {
      idleSinceNanos = loop.nanoTime();
      if (!idleTimer.isSet()) {
        idleTimer.set(idleSinceNanos + limits.maxIdleNanos());
      }
    }
  }

  private boolean isIdle() {
    return loop.connection().heldSlots() == 0;
  }

  /** Set for the first idleness; later ones show only here, so that a call costs no timer. */
  private void onIdleTimer() {
    long dueNanos = idleSinceNanos + limits.maxIdleNanos();
    if (isIdle() && loop.nanoTime() - dueNanos >= 0) {
      drain.begin("max_idle", Timeouts.NEVER);
    } else if (isIdle()) {
      idleTimer.set(dueNanos);
    }
  }
}
