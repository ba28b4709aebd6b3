package dev.gannet.transport.netty;

import dev.gannet.transport.pipe.LoopPauses;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.TimeUnit;

/**
 * Finds the pauses of one event loop by a timer that comes again and again while the loop has
 * pipes: where it is much too late, the loop stood still. Whoever asks sees a pause as soon as it
 * is over, before that timer has its turn. Confined to the loop's thread.
 */
final class LoopBeat {
  /**
   * From one beat to the next: a pause is found if it is longer than this and {@link #LATE_NANOS}.
   */
  static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** A beat is not late before that: timers are not exact, and processors are shared. */
  static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final OfThread OF_THREAD = new OfThread();

  private LoopPauses pauses = LoopPauses.NONE;
  private int pipes;
  private boolean beating;
  private long dueNanos;

  LoopBeat() {}

  /** That of the event loop whose thread this is. */
  static LoopBeat ofThisLoop() {
    return OF_THREAD.get();
  }

  /** A pipe is opened on the loop. */
  void join(EventLoop loop) {
    if (!beating) {
      next(loop, System.nanoTime());
      beating = true;
    }
    pipes++;
  }

  /** A pipe of the loop is closed. */
  void leave() {
    pipes--;
  }

  private void beat(EventLoop loop) {
    if (pipes == 0) {
      beating = false;
      return;
    }
    long nowNanos = System.nanoTime();
    pauses(nowNanos);
    next(loop, nowNanos);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a loop that is shut down beats no more
  private void next(EventLoop loop, long nowNanos) {
    dueNanos = nowNanos + BEAT_NANOS;
    loop.schedule(() -> beat(loop), BEAT_NANOS, TimeUnit.NANOSECONDS);
  }

  /** The pauses up to now. A pause began at any time since the last beat: it counts from there. */
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
