package dev.gannet.client.balancer;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * One endpoint of {@code outlier_detection}: the results of its calls, and the states that are
 * reported for its subchannels.
 *
 * <pre>
 *   LISTED ──eject──► EJECTED: READY is reported as failed ──unEject──► LISTED
 * </pre>
 */
final class OutlierEndpoint implements CallTracker, TrackedCall {
  private static final Status WHY =
      Status.UNAVAILABLE.withDescription("ejected by outlier detection: too many calls failed");

  private enum State {
    LISTED,
    EJECTED
  }

  private final LongAdder succeeded = new LongAdder();
  private final LongAdder failed = new LongAdder();

  /** The READY ones, by address: those that were shut down give way to their successors. */
  private final Map<EndpointKey, Watched> subchannels = new HashMap<>();

  private State state = State.LISTED;
  private long ejectedNanos;
  private int multiplier;

  /** Values of the evaluated interval. */
  private long successes;

  private long failures;

  @Override
  public TrackedCall onStarted(PickArgs call) {
    return this;
  }

  @Override
  public void onEnded(Status status, Metadata trailers) {
    (status.isOk() ? succeeded : failed).increment();
  }

  /** An interval has ended: takes its counts for the evaluation. */
  void count() {
    successes = succeeded.sumThenReset();
    failures = failed.sumThenReset();
  }

  long calls() {
    return successes + failures;
  }

  double successShare() {
    return (double) successes / calls();
  }

  double failurePercentage() {
    return 100.0 * failures / calls();
  }

  boolean isEjected() {
    return state == State.EJECTED;
  }

  void eject(long nowNanos) {
    state = State.EJECTED;
    ejectedNanos = nowNanos;
    multiplier++;
    List.copyOf(subchannels.values()).forEach(Watched::report);
  }

  private void unEject() {
    state = State.LISTED;
    List.copyOf(subchannels.values()).forEach(Watched::report);
  }

  /**
   * At the end of an interval: ends the ejection after its time, and later reduces the multiplier
   * step by step.
   */
  void onInterval(long nowNanos, OutlierDetectionSettings settings) {
    if (state == State.LISTED) {
      multiplier = Math.max(0, multiplier - 1);
      return;
    }
    long baseNanos = TimeUnit.NANOSECONDS.convert(settings.baseEjectionTime());
    long longestNanos =
        Math.max(baseNanos, TimeUnit.NANOSECONDS.convert(settings.maxEjectionTime()));
    double nanos = Math.min((double) baseNanos * multiplier, (double) longestNanos);
    if (nowNanos - ejectedNanos > nanos) {
      unEject();
    }
  }

  /** Forwards the states of a subchannel, except for READY while the endpoint is ejected. */
  Subchannel.Listener watch(Subchannel.Listener listener) {
    return new Watched(listener);
  }

  private final class Watched implements Subchannel.Listener {
    private final Subchannel.Listener listener;
    private SubchannelState raw = SubchannelState.IDLE;
    private List<Subchannel> known = List.of();

    Watched(Subchannel.Listener listener) {
      this.listener = listener;
    }

    @Override
    public void onState(Subchannel subchannel, SubchannelState now) {
      raw = now;
      known = List.of(subchannel);
      if (now == SubchannelState.READY) {
        subchannels.put(EndpointKey.of(subchannel), this);
      } else {
        subchannels.remove(EndpointKey.of(subchannel), this);
      }
      listener.onState(subchannel, now);
      reportIfEjected();
    }

    private void reportIfEjected() {
      if (isEjected() && raw == SubchannelState.READY) {
        report();
      }
    }

    void report() {
      SubchannelState reported = isEjected() ? SubchannelState.failed(WHY) : raw;
      known.forEach(it -> listener.onState(it, reported));
    }
  }
}
