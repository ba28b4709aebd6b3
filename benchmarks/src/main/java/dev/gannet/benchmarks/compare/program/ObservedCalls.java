package dev.gannet.benchmarks.compare.program;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.server.ServerBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * What production servers usually have around their calls: an access log, whose sink counts the
 * lines and drops them, metrics by method and status, and an interceptor that checks a token.
 */
final class ObservedCalls {
  private ObservedCalls() {}

  static ServerBuilder observed(ServerBuilder builder) {
    return builder
        .addTracer(new AccessLog(new CountingSink()))
        .addTracer(new CallMetrics())
        .intercept(new TokenInterceptor());
  }

  /** Receives the lines of an access log, and only counts them. */
  private static final class CountingSink {
    private final LongAdder lines = new LongAdder();
    private final LongAdder characters = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    void line(String path, Status.Code code, long callNanos) {
      lines.increment();
      characters.add(path.length());
      nanos.add(callNanos);
      if (code != Status.Code.OK) {
        failed.increment();
      }
    }

    @Override
    public String toString() {
      return lines
          + " calls of "
          + characters
          + " characters, "
          + failed
          + " failed, "
          + nanos
          + " ns";
    }
  }

  /** A line for each call. */
  private record AccessLog(CountingSink sink) implements ServerStreamTracer.Factory {
    @Override
    public ServerStreamTracer newTracer(ServerStreamTracer.Start call) {
      return new Line(sink, call.path(), System.nanoTime());
    }

    private record Line(CountingSink sink, String path, long beganNanos)
        implements ServerStreamTracer {
      @Override
      public void onEnd(Status status, Metadata trailers) {
        sink.line(path, status.code(), System.nanoTime() - beganNanos);
      }
    }
  }

  /** Counts and durations by method. */
  private static final class CallMetrics implements ServerStreamTracer.Factory {
    private final Map<MethodDescriptor<?, ?>, OfMethod> byMethod = new ConcurrentHashMap<>();
    private final OfMethod unknown = new OfMethod();

    @Override
    public ServerStreamTracer newTracer(ServerStreamTracer.Start call) {
      var method = call.method();
      OfMethod metrics =
          method.isPresent()
              ? byMethod.computeIfAbsent(method.get(), it -> new OfMethod())
              : unknown;
      metrics.started.increment();
      return new OfCall(metrics, System.nanoTime());
    }

    /** The counters of a method: durations in buckets of powers of two of a nanosecond. */
    private static final class OfMethod {
      private final LongAdder started = new LongAdder();
      private final LongAdder sentBytes = new LongAdder();
      private final LongAdder receivedBytes = new LongAdder();
      private final AtomicLongArray endedByCode = new AtomicLongArray(Status.Code.values().length);
      private final AtomicLongArray durations = new AtomicLongArray(Long.SIZE);
    }

    private record OfCall(OfMethod metrics, long beganNanos) implements ServerStreamTracer {
      @Override
      public void onMessageSent(int sequence, long wireBytes, long messageBytes) {
        metrics.sentBytes.add(wireBytes);
      }

      @Override
      public void onMessageReceived(int sequence, long wireBytes, long messageBytes) {
        metrics.receivedBytes.add(wireBytes);
      }

      @Override
      public void onEnd(Status status, Metadata trailers) {
        long nanos = Math.max(1, System.nanoTime() - beganNanos);
        metrics.endedByCode.incrementAndGet(status.code().value());
        metrics.durations.incrementAndGet(Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos));
      }
    }
  }

  /** Stores the user of a call's token in its context, if there is a token. */
  private static final class TokenInterceptor implements ServerInterceptor {
    private static final Metadata.Key<String> TOKEN = Metadata.Key.ascii("authorization");
    private static final CallContext.Key<String> USER = CallContext.Key.of("user");

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      Optional<String> token = headers.get(TOKEN);
      if (token.isPresent()) {
        call.context().setValue(USER, token.get());
      }
      return next.startCall(call, headers);
    }
  }
}
