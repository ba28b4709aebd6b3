package dev.gannet.benchmarks.harness;

import java.time.Duration;

/**
 * What a client does to a server.
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
  /** How many bytes go each way besides what messages cost themselves. */
  public record Payloads(int clientBytes, int serverBytes) {}

  /** When a call begins. */
  public sealed interface Pace {
    /** When the one before has ended. */
    record Closed() implements Pace {}

    /**
     * When fewer than the loops of a closed pace are under way: the same number, but each call is
     * begun by one thread outside of the client's own, as calls of an open pace are.
     */
    record Full() implements Pace {}

    /** At its time, whatever became of those before. */
    record Open(double callsPerSecond) implements Pace {}
  }

  /** How many calls are under way at once, unless the pace is open. */
  int loops() {
    return channels * callsPerChannel;
  }
}
