package dev.gannet.transport.http2;

import dev.gannet.http2.Timeouts;
import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.transport.settings.ConnectionAge;
import java.util.function.LongSupplier;

/**
 * Closes a server's connection when it is too old or has been without calls for too long (gRFC A9).
 * A call counts until its handler has answered, or has returned from a cancelled call.
 */
final class ServerLifetime {
  private final ConnectionAge limits;
  private final Http2Connection connection;
  private final DeadlineHeap deadlines;
  private final LongSupplier clock;
  private final ServerDrain drain;
  private final LoopTimer idleTimer;
  private long idleSinceNanos;

  ServerLifetime(
      ConnectionAge limits,
      Http2Connection connection,
      DeadlineHeap deadlines,
      LongSupplier clock,
      ServerDrain drain) {
    this.limits = limits;
    this.connection = connection;
    this.deadlines = deadlines;
    this.clock = clock;
    this.drain = drain;
    this.idleTimer = new LoopTimer(deadlines, this::onIdleTimer);
  }

  /** The connection starts now. */
  void start() {
    if (limits.maxAgeNanos() < Timeouts.FAR_NANOS) {
      new LoopTimer(deadlines, () -> drain.begin("max_age", limits.graceNanos()))
          .set(clock.getAsLong() + limits.maxAgeNanos());
    }
    onCallGone();
  }

  /** A call has ended, and its handler is done. */
  void onCallGone() {
    if (limits.maxIdleNanos() < Timeouts.FAR_NANOS && isIdle()) {
      idleSinceNanos = clock.getAsLong();
      if (!idleTimer.isSet()) {
        idleTimer.set(idleSinceNanos + limits.maxIdleNanos());
      }
    }
  }

  private boolean isIdle() {
    return connection.heldSlots() == 0;
  }

  /**
   * Set once for the first idle time; later idle times are only checked when it runs, so that a
   * call costs no timer.
   */
  private void onIdleTimer() {
    long dueNanos = idleSinceNanos + limits.maxIdleNanos();
    if (isIdle() && clock.getAsLong() - dueNanos >= 0) {
      drain.begin("max_idle", Timeouts.NEVER);
    } else if (isIdle()) {
      idleTimer.set(dueNanos);
    }
  }
}
