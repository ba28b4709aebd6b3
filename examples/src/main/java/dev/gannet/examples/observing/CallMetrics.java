package dev.gannet.examples.observing;

import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.ClientStreamTracer;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts a client's calls by method and status, their durations and sizes. For {@code
 * ManagedChannelBuilder.addTracer}. Safe for all threads. Tracers run on event loops: they only
 * count, and leave the rest to the code that reads the numbers.
 */
public final class CallMetrics implements ClientCallTracer.Factory {
  /**
   * The key of a counter.
   *
   * @param method its full name
   * @param code how calls ended
   */
  public record Series(String method, Status.Code code) {}

  private static final class Sums {
    private final LongAdder calls = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder receivedBytes = new LongAdder();
  }

  private final Map<Series, Sums> sums = new ConcurrentHashMap<>();

  /** All counts are zero. */
  public CallMetrics() {}

  /** How many calls have ended with this key. */
  public long calls(Series series) {
    Sums found = sums.get(series);
    return found == null ? 0 : found.calls.sum();
  }

  /** The sum of their durations. */
  public Duration time(Series series) {
    Sums found = sums.get(series);
    return found == null ? Duration.ZERO : Duration.ofNanos(found.nanos.sum());
  }

  /** The received bytes, in messages on the network. */
  public long receivedBytes(Series series) {
    Sums found = sums.get(series);
    return found == null ? 0 : found.receivedBytes.sum();
  }

  @Override
  public ClientCallTracer newTracer(ClientCallTracer.Start call) {
    return new OneCall(call.method().fullMethodName(), System.nanoTime());
  }

  private final class OneCall implements ClientCallTracer {
    private final String method;
    private final long beganNanos;
    private final LongAdder received = new LongAdder();

    OneCall(String method, long beganNanos) {
      this.method = method;
      this.beganNanos = beganNanos;
    }

    @Override
    public ClientStreamTracer newAttempt(ClientStreamTracer.Start attempt) {
      return new Attempt(received);
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {
      Sums series = sums.computeIfAbsent(new Series(method, status.code()), it -> new Sums());
      series.calls.increment();
      series.nanos.add(System.nanoTime() - beganNanos);
      series.receivedBytes.add(received.sum());
    }
  }

  private record Attempt(LongAdder received) implements ClientStreamTracer {
    @Override
    public void onMessageReceived(int sequence, long wireBytes, long messageBytes) {
      received.add(wireBytes);
    }
  }
}
