package dev.gannet.client.balancer;

import dev.gannet.api.Metadata;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The weight of an endpoint, computed from its reports (gRFC A58). Safe for all threads.
 *
 * <pre>
 *   EMPTY ──report──► BLACKED OUT ──blackoutPeriod──► KNOWN
 *     ▲                    │                            │
 *     └──ready again, or no report for weightExpirationPeriod
 * </pre>
 */
final class EndpointWeight implements CallTracker, TrackedCall {
  /** No server answers so many calls a second; the sum of many such weights is still a number. */
  private static final double LARGEST = 1e15;

  private final Supplier<WeightedRoundRobinSettings> settings;
  private final LoadReports reports;
  private final LongSupplier nanoTime;
  private final ReentrantLock lock = new ReentrantLock();

  /** Reports out of band. Used only by the policy. */
  private Optional<Watched> watched = Optional.empty();

  /** The server of this subchannel sends reports, until it is shut down. */
  private record Watched(Subchannel subchannel, Duration period, Registration reports) {
    boolean is(Subchannel other, Duration each) {
      return subchannel.equals(other) && period.equals(each);
    }
  }

  // Guarded by the lock.
  private double weight;
  private boolean updated;
  private long updatedNanos;
  private boolean empty = true;
  private long nonEmptySinceNanos;

  /**
   * No weight is known.
   *
   * @param settings provides the current settings; asked on all threads
   */
  EndpointWeight(
      Supplier<WeightedRoundRobinSettings> settings, LoadReports reports, LongSupplier nanoTime) {
    this.settings = settings;
    this.reports = reports;
    this.nanoTime = nanoTime;
  }

  @Override
  public TrackedCall onStarted(PickArgs call) {
    return settings.get().oobReportingPeriod().isEmpty() ? this : TrackedCall.NONE;
  }

  @Override
  public void onEnded(Status status, Metadata trailers) {
    reports.in(trailers).ifPresent(this::onReport);
  }

  /** Requests reports out of band, if and as enabled. Called among the policy's events. */
  void watch(Subchannel subchannel) {
    Optional<Duration> period = settings.get().oobReportingPeriod();
    if (period.isPresent()
        ? watched.filter(it -> it.is(subchannel, period.get())).isPresent()
        : watched.isEmpty()) {
      return;
    }
    watched.ifPresent(it -> it.reports().close());
    watched =
        period.map(
            it -> new Watched(subchannel, it, LoadReports.watch(subchannel, it, this::onReport)));
  }

  private void onReport(LoadReport report) {
    double utilization = report.inUse();
    double queries = report.queriesPerSecond();
    if (!(utilization > 0) || !(queries > 0)) {
      return; // a report that is empty, or not a number
    }
    double penalty = report.errorsPerSecond() / queries * settings.get().errorUtilizationPenalty();
    double reported = queries / (utilization + Math.max(0, penalty));
    if (!(reported <= LARGEST)) {
      return;
    }
    long nowNanos = nanoTime.getAsLong();
    lock.lock();
    try {
      weight = reported;
      updated = true;
      updatedNanos = nowNanos;
      if (empty) {
        empty = false;
        nonEmptySinceNanos = nowNanos;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The endpoint is ready again: earlier reports may be out of date. */
  void onReady() {
    lock.lock();
    try {
      empty = true;
    } finally {
      lock.unlock();
    }
  }

  /** The weight; 0 if none is known. */
  double at(long nowNanos) {
    WeightedRoundRobinSettings now = settings.get();
    long expirationNanos = TimeUnit.NANOSECONDS.convert(now.weightExpirationPeriod());
    long blackoutNanos = TimeUnit.NANOSECONDS.convert(now.blackoutPeriod());
    lock.lock();
    try {
      if (!updated || nowNanos - updatedNanos >= expirationNanos) {
        empty = true;
        return 0;
      }
      boolean blackedOut =
          blackoutNanos > 0 && (empty || nowNanos - nonEmptySinceNanos < blackoutNanos);
      return blackedOut ? 0 : weight;
    } finally {
      lock.unlock();
    }
  }
}
