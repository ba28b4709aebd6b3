package dev.gannet.benchmarks.harness;

import org.HdrHistogram.Histogram;

/**
 * The channels of a client library to a server, ready to be loaded with one kind of calls.
 *
 * <p>What goes wrong in a call is told to its {@link Run}; nothing is thrown.
 */
public interface Target extends AutoCloseable {
  /**
   * Makes one unary call and waits for its end: connects the channel, and sees whether the service
   * answers at all.
   *
   * @throws RunFailedException if it does not, or not well
   */
  void callOnce(int channel);

  /** A histogram that everything on one channel can record into. */
  Histogram newHistogram();

  /**
   * Begins a loop of calls on a channel and returns at once. The loop ends after {@link Run#isOver}
   * and tells {@link Run#loopEnded}.
   */
  void startLoop(int channel, Run run, Histogram latencyNanos);

  /**
   * Begins one unary call on a channel and returns at once; its latency counts from the time it was
   * meant to begin. Its end is told to {@link Run#loopEnded}.
   */
  void startCall(int channel, Run run, Histogram latencyNanos, long intendedNanos);

  /** A stream each way that stays open, and silent unless it is told to exchange. */
  interface OpenStream {
    /** Sends a message; the reply to it is told to {@link Run#loopEnded}. */
    void exchange();
  }

  /** Opens a stream each way, to be left open until the end. */
  OpenStream openStream(int channel, Run run);

  @Override
  void close();
}
