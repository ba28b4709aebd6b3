package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.Status;
import dev.gannet.transport.CallAdmission;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Decides which calls of a server with {@link LoadShedding} may start, and counts them. Safe for
 * all threads.
 */
final class LoadShedder {
  private static final Metadata.Key<String> PUSHBACK = Metadata.Key.ascii("grpc-retry-pushback-ms");

  private final LoadShedding settings;
  private final int maxStreams;
  private final LongSupplier clock;
  private final Queue<AdaptiveLimit.Latency> latencies = new ConcurrentLinkedQueue<>();
  private final AdaptiveLimit.Latency ofLater = newLatency();
  private final AdaptiveLimit calls;
  private final AtomicInteger streams = new AtomicInteger();
  private final LongAdder streamsRefused = new LongAdder();
  private final LongAdder callsTooLate = new LongAdder();

  LoadShedder(LoadShedding settings, LongSupplier clock) {
    this.settings = settings;
    this.maxStreams = settings.maxStreams().orElse(Integer.MAX_VALUE);
    this.clock = clock;
    this.calls =
        new AdaptiveLimit(
            settings.initialLimit(), settings.maxLimit(), latencies, clock.getAsLong());
  }

  /** Decides for the calls of a method; empty if all may start. */
  Optional<Admission> admission(ServerMethodDefinition<?, ?> method) {
    return isExempt(method) ? Optional.empty() : Optional.of(admission(method, newLatency()));
  }

  private boolean isExempt(ServerMethodDefinition<?, ?> method) {
    return method.isExemptFromLoadShedding()
        || settings.exempt().contains(method.method().serviceName());
  }

  /**
   * Decides for the calls of a method that a registry returned later. All these methods share one
   * latency, because there may be any number of them.
   */
  Optional<Admission> admissionOfLater(ServerMethodDefinition<?, ?> method) {
    return isExempt(method) ? Optional.empty() : Optional.of(admission(method, ofLater));
  }

  private Admission admission(ServerMethodDefinition<?, ?> method, AdaptiveLimit.Latency latency) {
    boolean unary = method.method().type() == MethodType.UNARY;
    return unary ? call -> enterCall(latency, call.deadline()) : new Streams();
  }

  private AdaptiveLimit.Latency newLatency() {
    AdaptiveLimit.Latency latency = new AdaptiveLimit.Latency();
    latencies.add(latency);
    return latency;
  }

  /**
   * The place of a unary call.
   *
   * @param probe whether it seems to be too late, and starts all the same to learn its latency
   */
  private record Begun(LoadShedder shedder, AdaptiveLimit.Latency method, long nanos, boolean probe)
      implements Admission.Place {
    @Override
    public void leave(Admission.Ending how) {
      shedder.calls.leave(method, nanos, endingOf(how), shedder.now());
    }

    private AdaptiveLimit.CallEnding endingOf(Admission.Ending how) {
      return switch (how) {
        case CUT_OFF -> AdaptiveLimit.CallEnding.CUT_OFF;
        case ANSWERED ->
            probe ? AdaptiveLimit.CallEnding.PROBE_ANSWERED : AdaptiveLimit.CallEnding.ANSWERED;
      };
    }
  }

  /** Admits the calls of a method that is not unary. All their places are the same. */
  private final class Streams implements Admission, Admission.Place {
    @Override
    public Answer enter(CallContext call) {
      return tryEnterStream() ? this : tooMany(maxStreams + " streaming calls");
    }

    @Override
    public void leave(Ending how) {
      streams.decrementAndGet();
    }
  }

  /** Whether a unary call may start. */
  private Admission.Answer enterCall(AdaptiveLimit.Latency method, Optional<Deadline> deadline) {
    double leftNanos = deadline.isEmpty() ? Double.MAX_VALUE : deadline.get().remainingNanos();
    boolean late = leftNanos < method.baseNanos() / 2;
    if (late && !method.tryStartProbe(now())) {
      callsTooLate.increment();
      return refusal(
          Status.DEADLINE_EXCEEDED.withDescription(
              "load shedding refused the call: calls of this method take "
                  + TimeUnit.NANOSECONDS.toMillis((long) method.baseNanos())
                  + " ms, but its deadline is in "
                  + TimeUnit.NANOSECONDS.toMillis((long) leftNanos)
                  + " ms"),
          new Metadata());
    }
    if (!calls.tryEnter(now())) {
      return tooMany(calls.admitted() + " unary calls");
    }
    return new Begun(this, method, now(), late);
  }

  private boolean tryEnterStream() {
    if (streams.incrementAndGet() <= maxStreams) {
      return true;
    }
    streams.decrementAndGet();
    streamsRefused.increment();
    return false;
  }

  private Admission.Answer tooMany(String limit) {
    Metadata trailers = new Metadata();
    trailers.set(PUSHBACK, Long.toString(TimeUnit.MILLISECONDS.convert(settings.pushback())));
    return refusal(
        settings
            .status()
            .toStatus()
            .withDescription(
                "load shedding refused the call: the server is at its limit of " + limit),
        trailers);
  }

  private static Admission.Answer refusal(Status status, Metadata trailers) {
    return new Admission.Refused(new CallAdmission.Refused(status, trailers));
  }

  private long now() {
    return clock.getAsLong();
  }

  LoadShedding.Snapshot snapshot() {
    return new LoadShedding.Snapshot(
        new LoadShedding.Snapshot.Counts(
            calls.admitted(),
            calls.underWay(),
            calls.refused() + callsTooLate.sum(),
            streams.get(),
            streamsRefused.sum()));
  }
}
