package dev.gannet.conformance.interop;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.ForwardingContext;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.LoadReport;
import dev.gannet.client.balancer.LoadReports;
import dev.gannet.client.balancer.PickArgs;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.balancer.SubchannelOptions;
import dev.gannet.client.balancer.TrackedCall;
import dev.gannet.client.resolver.Endpoint;
import io.grpc.testing.integration.Messages.TestOrcaReport;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The policy of the ORCA cases: {@code pick_first} that keeps the last report on a server's load,
 * both of reports in calls' trailers and of those sent separately. Safe for all threads.
 */
final class BackendMetrics implements LoadBalancerProvider {
  /** The policy's name in service configs. */
  static final String POLICY_NAME = "test_backend_metrics_load_balancer";

  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changes = lock.newCondition();
  private Optional<LoadReport> ofCall = Optional.empty();
  private Optional<LoadReport> apart = Optional.empty();

  BackendMetrics() {}

  @Override
  public String policyName() {
    return POLICY_NAME;
  }

  @Override
  public LoadBalancer create(LoadBalancer.Context context) {
    return LoadBalancerProvider.pickFirst().create(new Watched(context, this));
  }

  private record Watched(LoadBalancer.Context context, BackendMetrics metrics)
      implements ForwardingContext {
    @Override
    public Subchannel createSubchannel(
        Endpoint endpoint, Subchannel.Listener listener, SubchannelOptions options) {
      CallTracker both = CallTracker.both(options.callTracker(), new OfCalls(metrics));
      Subchannel made = context.createSubchannel(endpoint, listener, options.withCallTracker(both));
      LoadReports.watch(made, INTERVAL, metrics::onReport);
      return made;
    }
  }

  private record OfCalls(BackendMetrics metrics) implements CallTracker, TrackedCall {
    @Override
    public TrackedCall onStarted(PickArgs call) {
      return this;
    }

    @Override
    public void onEnded(Status status, Metadata trailers) {
      metrics.onCall(LoadReports.ofTrailers().in(trailers));
    }
  }

  private void onCall(Optional<LoadReport> report) {
    lock.lock();
    try {
      ofCall = report;
    } finally {
      lock.unlock();
    }
  }

  private void onReport(LoadReport report) {
    lock.lock();
    try {
      apart = Optional.of(report);
      changes.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The report of the last call. */
  Optional<LoadReport> ofCall() {
    lock.lock();
    try {
      return ofCall;
    } finally {
      lock.unlock();
    }
  }

  /** The last separate report, as soon as it equals the given one or the time is over. */
  Optional<LoadReport> awaitApart(LoadReport wanted, Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.NANOSECONDS.convert(atMost);
      while (left > 0 && apart.filter(wanted::equals).isEmpty()) {
        left = changes.awaitNanos(left);
      }
      return apart;
    } finally {
      lock.unlock();
    }
  }

  /** The report that a client must receive. */
  static LoadReport expected(TestOrcaReport of) {
    return LoadReport.builder()
        .cpuUtilization(of.getCpuUtilization())
        .memoryUtilization(of.getMemoryUtilization())
        .requestCost(of.getRequestCostMap())
        .utilization(of.getUtilizationMap())
        .build();
  }
}
