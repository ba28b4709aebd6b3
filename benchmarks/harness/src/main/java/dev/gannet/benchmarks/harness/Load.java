package dev.gannet.benchmarks.harness;

import java.time.Duration;

/**
 * The load of a client on a server.
 *
 * @param callsPerChannel how many calls are under way at once on each channel; an open pace knows
 *     no such number
 */
public record Load(
    int channels,
    int callsPerChannel,
    Payloads payloads,
    Pace pace,
    Duration warmup,
    Duration time) {
  /** The number of bytes each way in addition to the fixed cost of messages. */
  public record Payloads(int clientBytes, int serverBytes) {}

  /** When the next call begins. */
  public sealed interface Pace {
    /** When the previous one has ended. */
    record Closed() implements Pace {}

    /**
     * When fewer calls are running than a closed pace has loops: the same number, but one thread
     * outside of the client starts each call, as with an open pace.
     */
    record Full() implements Pace {}

    /** At a fixed time, independent of earlier calls. */
    record Open(double callsPerSecond) implements Pace {}
  }

  /** The number of concurrent calls, unless the pace is open. */
  int loops() {
    return channels * callsPerChannel;
  }
}
