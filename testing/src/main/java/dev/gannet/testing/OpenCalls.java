package dev.gannet.testing;

import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The calls of a test's channels that have not ended, with the place where each was started. */
final class OpenCalls implements ClientCallTracer.Factory {
  private final AtomicLong started = new AtomicLong();
  private final ConcurrentSkipListMap<Long, OpenedHere> open = new ConcurrentSkipListMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();

  @Override
  public ClientCallTracer newTracer(ClientCallTracer.Start call) {
    long number = started.incrementAndGet();
    open.put(number, new OpenedHere("call " + call.method().fullMethodName() + " started here"));
    return new OpenCall(number);
  }

  private final class OpenCall implements ClientCallTracer {
    private final long number;

    OpenCall(long number) {
      this.number = number;
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {
      open.remove(number);
      lock.lock();
      try {
        ended.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Waits for the ends of all calls; returns those that are still open after this time, in the
   * order of their start.
   */
  List<OpenedHere> awaitEnds(Duration atMost) throws InterruptedException {
    long leftNanos = TimeUnit.NANOSECONDS.convert(atMost);
    lock.lock();
    try {
      while (!open.isEmpty() && leftNanos > 0) {
        leftNanos = ended.awaitNanos(leftNanos);
      }
    } finally {
      lock.unlock();
    }
    return List.copyOf(open.values());
  }
}
