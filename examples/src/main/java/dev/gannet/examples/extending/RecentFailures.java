package dev.gannet.examples.extending;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.PickArgs;
import dev.gannet.client.balancer.TrackedCall;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * How many calls of a server have failed in a row. Calls end on many threads at once, so it uses
 * atomic and volatile fields.
 */
final class RecentFailures implements CallTracker, TrackedCall {
  /** So many failures in a row are many. */
  static final int MANY = 3;

  /** For this time; then the server gets calls again. */
  static final Duration REST = Duration.ofSeconds(5);

  private final LongSupplier nanoTime;
  private final AtomicInteger inARow = new AtomicInteger();
  private volatile long lastNanos;

  RecentFailures(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  boolean areMany() {
    return inARow.get() >= MANY && nanoTime.getAsLong() - lastNanos < REST.toNanos();
  }

  /** One object is enough for all calls, because nothing is needed of their beginnings. */
  @Override
  public TrackedCall onStarted(PickArgs call) {
    return this;
  }

  /** Other statuses say that the server works, and what it thinks of the request. */
  @Override
  public void onEnded(Status status, Metadata trailers) {
    if (status.code() == Status.Code.UNAVAILABLE) {
      lastNanos = nanoTime.getAsLong();
      inARow.incrementAndGet();
    } else {
      inARow.set(0);
    }
  }
}
