package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.ForwardingServerCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import dev.gannet.protocol.OrcaReport;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Records the load of a server for its clients: the values are sent with the end of each call, in
 * the trailer {@code endpoint-load-metrics-bin} (gRFC A51, ORCA), and clients with {@code
 * weighted_round_robin} send more calls to servers with more capacity.
 *
 * <pre>
 *   serverBuilder.intercept(CallMetricRecorder.interceptor());
 *   ...
 *   CallMetricRecorder.current().ifPresent(it -> it.recordApplicationUtilization(0.4));
 * </pre>
 *
 * <p>If a value is recorded again, the last one is used; values out of range are ignored. Safe for
 * all threads.
 */
public final class CallMetricRecorder {
  private static final CallContext.Key<CallMetricRecorder> KEY =
      CallContext.Key.of("CallMetricRecorder");

  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";
  private static final String APPLICATION = "application";
  private static final String QUERIES = "queries";
  private static final String ERRORS = "errors";

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final Map<String, Double> numbers = new HashMap<>();
  private final Map<String, Double> requestCost = new LinkedHashMap<>();
  private final Map<String, Double> utilization = new LinkedHashMap<>();
  private final Map<String, Double> namedMetrics = new LinkedHashMap<>();

  /** A recorder for a whole server; those of calls come from {@link #current}. */
  public CallMetricRecorder() {}

  /** The recorder of the current call; empty without an {@link #interceptor}. */
  public static Optional<CallMetricRecorder> current() {
    return CallContext.current().flatMap(it -> it.value(KEY));
  }

  /** Gives each call a recorder, and sends the recorded values with the call's end. */
  public static ServerInterceptor interceptor() {
    return new Recording(new CallMetricRecorder());
  }

  /**
   * Gives each call a recorder; values that a call has not recorded are taken from the server's
   * recorder.
   *
   * @param ofServer the load of the server, which the application records from time to time
   */
  public static ServerInterceptor interceptor(CallMetricRecorder ofServer) {
    return new Recording(ofServer);
  }

  /** The utilization of the processors: 0 or more, where 1 is full. */
  public CallMetricRecorder recordCpuUtilization(double value) {
    return record(CPU, value, Double.MAX_VALUE);
  }

  /** The used part of the memory, 0 to 1. */
  public CallMetricRecorder recordMemoryUtilization(double value) {
    return record(MEMORY, value, 1);
  }

  /** The utilization by the application's own measure: 0 or more, where 1 is full. */
  public CallMetricRecorder recordApplicationUtilization(double value) {
    return record(APPLICATION, value, Double.MAX_VALUE);
  }

  /** The number of calls that the server completes per second, 0 or more. */
  public CallMetricRecorder recordQueriesPerSecond(double value) {
    return record(QUERIES, value, Double.MAX_VALUE);
  }

  /** The number of failed calls per second, 0 or more. */
  public CallMetricRecorder recordErrorsPerSecond(double value) {
    return record(ERRORS, value, Double.MAX_VALUE);
  }

  /** The cost of the call, by a name of the application. */
  public CallMetricRecorder recordRequestCost(String name, double value) {
    return record(requestCost, name, value);
  }

  /** The utilization of a resource that the application names, 0 to 1. */
  public CallMetricRecorder recordUtilization(String name, double value) {
    return value >= 0 && value <= 1 ? record(utilization, name, value) : this;
  }

  /** Any other metric of the application. */
  public CallMetricRecorder recordNamedMetric(String name, double value) {
    return record(namedMetrics, name, value);
  }

  /** Removes all recorded values. */
  public void clear() {
    lock.lock();
    try {
      numbers.clear();
      requestCost.clear();
      utilization.clear();
      namedMetrics.clear();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The current values, except for costs of calls, as the bytes of an {@code
   * xds.data.orca.v3.OrcaLoadReport}: for reports out of band.
   */
  public byte[] toBytes() {
    CallMetricRecorder copy = new CallMetricRecorder();
    copyTo(copy);
    copy.requestCost.clear();
    OrcaReport report = copy.report();
    return report == null ? new byte[0] : report.toBytes();
  }

  private CallMetricRecorder record(String name, double value, double most) {
    return value >= 0 && value <= most ? record(numbers, name, value) : this;
  }

  private CallMetricRecorder record(Map<String, Double> metrics, String name, double value) {
    lock.lock();
    try {
      metrics.put(name, value);
    } finally {
      lock.unlock();
    }
    return this;
  }

  private void copyTo(CallMetricRecorder target) {
    lock.lock();
    try {
      target.numbers.putAll(numbers);
      target.requestCost.putAll(requestCost);
      target.utilization.putAll(utilization);
      target.namedMetrics.putAll(namedMetrics);
    } finally {
      lock.unlock();
    }
  }

  /** The report; null if nothing was recorded. */
  private @Nullable OrcaReport report() {
    boolean empty =
        numbers.isEmpty()
            && requestCost.isEmpty()
            && utilization.isEmpty()
            && namedMetrics.isEmpty();
    return empty
        ? null
        : new OrcaReport(
            number(CPU),
            number(MEMORY),
            number(APPLICATION),
            number(QUERIES),
            number(ERRORS),
            requestCost,
            utilization,
            namedMetrics);
  }

  private double number(String name) {
    return numbers.getOrDefault(name, 0.0);
  }

  private record Recording(CallMetricRecorder ofServer) implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      CallMetricRecorder ofCall = new CallMetricRecorder();
      call.context().setValue(KEY, ofCall);
      return next.startCall(new RecordedCall<>(call, ofServer, ofCall), headers);
    }
  }

  /** A call whose end contains the report. */
  private static final class RecordedCall<Q, R> extends ForwardingServerCall<Q, R> {
    private final CallMetricRecorder ofServer;
    private final CallMetricRecorder ofCall;

    RecordedCall(ServerCall<Q, R> call, CallMetricRecorder ofServer, CallMetricRecorder ofCall) {
      super(call);
      this.ofServer = ofServer;
      this.ofCall = ofCall;
    }

    @Override
    public void close(Status status, Metadata trailers) {
      super.close(status, withReport(trailers));
    }

    @Override
    public void end(Status status, Metadata trailers) {
      super.end(status, withReport(trailers));
    }

    private Metadata withReport(Metadata trailers) {
      CallMetricRecorder all = new CallMetricRecorder();
      ofServer.copyTo(all);
      ofCall.copyTo(all);
      OrcaReport report = all.report();
      if (report == null) {
        return trailers;
      }
      Metadata more = trailers.copy();
      more.set(OrcaReport.TRAILER, report.toBytes());
      return more;
    }
  }
}
