package dev.gannet.transport.netty;

import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.api.engine.OffLoop;
import dev.gannet.transport.pipe.LoopPauses;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.TimeUnit;

/**
 * A periodic timer of one event loop, which runs while the loop has pipes. If it runs much too
 * late, the loop was paused; a caller sees a pause as soon as it is over, before the timer runs. It
 * also has the work done for which virtual threads get no carrier ({@link OffLoop#startLeft}).
 * Confined to the loop's thread.
 */
final class LoopBeat {
  /** The period: a pause is detected if it is longer than this plus {@link #LATE_NANOS}. */
  static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /**
   * A timer that is late by less than this does not count: timers are not exact, and processors are
   * shared.
   */
  static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final OfThread OF_THREAD = new OfThread();

  private LoopPauses pauses = LoopPauses.NONE;
  private int pipes;
  private boolean beating;
  private long dueNanos;

  LoopBeat() {}

  /** The instance of the calling event loop's thread. */
  static LoopBeat ofThisLoop() {
    return OF_THREAD.get();
  }

  /** A pipe was opened on the loop. */
  void join(EventLoop loop) {
    if (!beating) {
      next(loop, System.nanoTime());
      beating = true;
    }
    pipes++;
  }

  /** A pipe of the loop was closed. */
  void leave() {
    pipes--;
  }

  /** How many pipes of the loop are open. */
  int pipes() {
    return pipes;
  }

  private void beat(EventLoop loop) {
    if (Thread.currentThread() instanceof EventLoopThread thread) {
      thread.offLoop().startLeft();
    }
    if (pipes == 0) {
      beating = false;
      return;
    }
    long nowNanos = System.nanoTime();
    pauses(nowNanos);
    next(loop, nowNanos);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a loop that is shut down runs no timers
  private void next(EventLoop loop, long nowNanos) {
    dueNanos = nowNanos + BEAT_NANOS;
    loop.schedule(() -> beat(loop), BEAT_NANOS, TimeUnit.NANOSECONDS);
  }

  /**
   * The pauses until now. A pause may have begun at any time since the timer last ran, so it counts
   * from there.
   */
  LoopPauses pauses(long nowNanos) {
    long lateNanos = nowNanos - dueNanos;
    if (lateNanos >= LATE_NANOS && beating) {
      pauses = pauses.plus(lateNanos + BEAT_NANOS, nowNanos);
      dueNanos = nowNanos + BEAT_NANOS;
    }
    return pauses;
  }

  private static final class OfThread extends FastThreadLocal<LoopBeat> {
    @Override
    protected LoopBeat initialValue() {
      return new LoopBeat();
    }
  }
}
