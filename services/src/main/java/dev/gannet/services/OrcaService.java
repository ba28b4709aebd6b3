package dev.gannet.services;

import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.gannet.api.CallContext;
import dev.gannet.api.Dispatch;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.stub.Outgoing;
import dev.gannet.server.CallMetricRecorder;
import dev.gannet.server.ServerBuilder;
import dev.gannet.server.ServerExtension;
import dev.gannet.services.orca.v3.OpenRcaService;
import dev.gannet.services.orca.v3.OrcaLoadReport;
import dev.gannet.services.orca.v3.OrcaLoadReportRequest;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Reports a server's load independently of its calls: {@code xds.service.orca.v3.OpenRcaService}
 * (gRFC A51), for clients with {@code weighted_round_robin} that ask for it. Added by {@link
 * ServerBuilder#add(ServerExtension)}; safe for all threads.
 *
 * <pre>
 *   CallMetricRecorder load = new CallMetricRecorder();
 *   builder.add(new OrcaService(load));
 *   ...
 *   load.recordApplicationUtilization(0.4).recordQueriesPerSecond(1_200); // from time to time
 * </pre>
 *
 * <p>Each stream gets a report at once, and then at the interval that its client requests, but not
 * more often than the server allows, even if nothing has changed. Costs of calls are omitted.
 * Reports end with {@code UNAVAILABLE} when their server drains; one object may be added to several
 * servers. Streams of reports are exempt from {@link dev.gannet.server.LoadShedding}, because
 * clients that get no reports send a busy server as much as others.
 */
public final class OrcaService implements ServerExtension {
  /** The default minimum interval between reports. */
  public static final java.time.Duration DEFAULT_MIN_INTERVAL = java.time.Duration.ofSeconds(30);

  private final CallMetricRecorder load;
  private final long minIntervalNanos;

  /** Reports the values of this recorder, at most every 30 seconds. */
  public OrcaService(CallMetricRecorder load) {
    this(load, DEFAULT_MIN_INTERVAL);
  }

  /**
   * Reports the values of this recorder.
   *
   * @param minInterval the minimum interval between reports
   * @throws IllegalArgumentException if that is not positive
   */
  public OrcaService(CallMetricRecorder load, java.time.Duration minInterval) {
    if (minInterval.isNegative() || minInterval.isZero()) {
      throw new IllegalArgumentException("minInterval must be positive: " + minInterval);
    }
    this.load = load;
    this.minIntervalNanos = TimeUnit.NANOSECONDS.convert(minInterval);
  }

  @Override
  public void addTo(ServerBuilder builder) {
    builder.add(definition());
  }

  /** On virtual threads, whatever the server's dispatch is: each stream waits until it ends. */
  private ServerServiceDefinition definition() {
    return new Reports()
        .bindService()
        .map(method -> method.withDispatch(Dispatch.virtualThreads()).withoutLoadShedding());
  }

  private final class Reports implements OpenRcaService {
    @Override
    public void streamCoreMetrics(OrcaLoadReportRequest request, Outgoing<OrcaLoadReport> out) {
      long intervalNanos = Math.max(minIntervalNanos, nanosOf(request.getReportInterval()));
      CountDownLatch drain = new CountDownLatch(1);
      CallContext.current().orElseThrow().onServerDraining(drain::countDown); // until it ends
      do {
        out.send(report());
      } while (!isReachedWithin(drain, intervalNanos));
      throw Status.UNAVAILABLE.withDescription("the server is shutting down").asException();
    }
  }

  /** Zero if it is not a valid duration. */
  private static long nanosOf(Duration duration) {
    long seconds = Math.min(Math.max(0, duration.getSeconds()), TimeUnit.DAYS.toSeconds(1));
    return TimeUnit.SECONDS.toNanos(seconds) + Math.max(0, duration.getNanos());
  }

  private OrcaLoadReport report() {
    try {
      return OrcaLoadReport.parseFrom(load.toBytes());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a recorder's report cannot be read", e);
    }
  }

  private static boolean isReachedWithin(CountDownLatch drain, long nanos) {
    try {
      return drain.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Status.CANCELLED.withDescription("reports are no longer read").asException();
    }
  }
}
