package dev.gannet.benchmarks.harness;

/**
 * The channels of a client library to a server, for one kind of calls.
 *
 * <p>Failures of calls are reported to their {@link Run}; nothing is thrown.
 */
public interface Target extends AutoCloseable {
  /**
   * Makes one unary call and waits for its end: connects the channel, and checks that the service
   * answers.
   *
   * @throws RunFailedException if it does not, or not well
   */
  void callOnce(int channel);

  /** Where the calls of one channel are recorded. */
  Latencies newLatencies();

  /**
   * Begins a loop of calls on a channel and returns at once. The loop ends after {@link Run#isOver}
   * and tells {@link Run#loopEnded}.
   */
  void startLoop(int channel, Run run, Latencies latencyNanos);

  /**
   * Starts one unary call on a channel and returns at once; its latency counts from its intended
   * start. Its end is reported to {@link Run#loopEnded}.
   */
  void startCall(int channel, Run run, Latencies latencyNanos, long intendedNanos);

  /** A bidirectional stream that stays open; it sends a message only on request. */
  interface OpenStream {
    /** Sends a message; its reply is reported to {@link Run#loopEnded}. */
    void exchange();
  }

  /** Opens a bidirectional stream that stays open until the end. */
  OpenStream openStream(int channel, Run run);

  @Override
  void close();
}
