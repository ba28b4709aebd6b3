package dev.gannet.benchmarks;

import dev.gannet.api.Channel;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** One caller who begins a call as soon as the one before has ended, until the run is over. */
sealed interface Loop
    permits AsyncStreamLoop, AsyncUnaryLoop, BlockingStreamLoop, BlockingUnaryLoop {
  int SIGNIFICANT_DIGITS = 3;

  /** What loops are made of. */
  enum Kind {
    ASYNC_UNARY,
    ASYNC_STREAM,
    BLOCKING_UNARY,
    BLOCKING_STREAM;

    Loop on(Channel channel, Run run, Histogram latencyNanos) {
      return switch (this) {
        case ASYNC_UNARY -> new AsyncUnaryLoop(channel, run, latencyNanos);
        case ASYNC_STREAM -> new AsyncStreamLoop(channel, run, latencyNanos);
        case BLOCKING_UNARY -> new BlockingUnaryLoop(channel, run, latencyNanos);
        case BLOCKING_STREAM -> new BlockingStreamLoop(channel, run, latencyNanos);
      };
    }

    /**
     * A histogram that all loops on one channel can share. Async loops record on the thread of
     * their channel's one connection, so theirs needs no atomics.
     */
    Histogram newHistogram() {
      return switch (this) {
        case ASYNC_UNARY, ASYNC_STREAM -> new Histogram(SIGNIFICANT_DIGITS);
        case BLOCKING_UNARY, BLOCKING_STREAM -> new ConcurrentHistogram(SIGNIFICANT_DIGITS);
      };
    }
  }

  /** Begins the first call and returns at once. */
  void start();
}
