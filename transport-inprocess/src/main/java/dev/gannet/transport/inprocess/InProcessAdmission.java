package dev.gannet.transport.inprocess;

import dev.gannet.api.CallContext;
import dev.gannet.api.Deadline;
import dev.gannet.api.Status;
import dev.gannet.protocol.CarriedMetadata;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.CallStatuses;
import dev.gannet.transport.RegistryFailures;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.ServerMethod;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of each call that its client has started on a connection. It continues
 * elsewhere if the connection accepts no more calls. It begins as an {@link InProcessServerStream}
 * if the server has its method and its request is within the limits. Every other call ends here,
 * without a handler, and is reported to the tracers. Safe for all threads.
 */
final class InProcessAdmission {
  private final InProcessConnection connection;
  private final ServerCalls calls;
  private final InProcessTracing tracing;
  private final int maxMetadataBytes;
  private final Map<String, Optional<? extends ServerMethod<?, ?>>> methods =
      new ConcurrentHashMap<>();

  /**
   * Admission to a connection of that server.
   *
   * @param maxMetadataBytes of a request's headers
   */
  InProcessAdmission(
      InProcessConnection connection,
      ServerCalls calls,
      InProcessTracing tracing,
      int maxMetadataBytes) {
    this.connection = connection;
    this.calls = calls;
    this.tracing = tracing;
    this.maxMetadataBytes = maxMetadataBytes;
  }

  /**
   * Begins a call with what its client has sent so far, or ends it. On the caller's thread.
   *
   * @param call is in the connection's table already, so that a shutdown finds it; has a server's
   *     stream afterwards if that is to remove it from there
   */
  <Q> void admit(InProcessClientStream<Q, ?> call, @Nullable Q sent, boolean last) {
    Status refusal = connection.refusal();
    if (refusal != null) {
      call.onNotCarried(refusal);
      call.deliver(sent, last);
      return;
    }
    call.traceHeaders();
    Optional<? extends ServerMethod<?, ?>> method;
    try {
      method = find(call.start().method().fullMethodName());
    } catch (Throwable e) {
      RegistryFailures.log(e);
      refuse(call, Optional.empty(), RegistryFailures.STATUS);
      return;
    }
    Status obstacle = obstacle(call, method.isPresent());
    if (obstacle == null) {
      begin(call, method.orElseThrow(), sent, last);
    } else {
      refuse(call, method, obstacle);
    }
  }

  private void refuse(
      InProcessClientStream<?, ?> call, Optional<? extends ServerMethod<?, ?>> method, Status why) {
    tracing.onRefused(call.start(), method, why);
    call.endBoth(why, why);
  }

  /** The server's method with this name; throws what its fallback registry throws. */
  private Optional<? extends ServerMethod<?, ?>> find(String fullMethodName) {
    Optional<? extends ServerMethod<?, ?>> known = methods.get(fullMethodName);
    if (known != null) {
      return known;
    }
    Optional<? extends ServerMethod<?, ?>> found = calls.find("/" + fullMethodName);
    if (found.isPresent()) { // there may be many names without a method
      methods.put(fullMethodName, found);
      return found;
    }
    return findFallback("/" + fullMethodName); // not cached: these methods can change
  }

  /** The registry is a user's, and must not see the call that this thread may serve. */
  private Optional<? extends ServerMethod<?, ?>> findFallback(String path) {
    AtomicReference<Optional<? extends ServerMethod<?, ?>>> found =
        new AtomicReference<>(Optional.empty());
    CallContext.runDetached(() -> found.set(calls.findFallback(path)));
    return found.get();
  }

  /** Why the server does not serve the call; null if it does. */
  private @Nullable Status obstacle(InProcessClientStream<?, ?> call, boolean found) {
    CallStart<?, ?> start = call.start();
    String fullMethodName = start.method().fullMethodName();
    OptionalLong overlong =
        CarriedMetadata.overlongRequest(
            start.headers(), call.authority(), fullMethodName, maxMetadataBytes);
    if (overlong.isPresent()) {
      return CallStatuses.oversizedRequestMetadata(
          overlong.getAsLong(), maxMetadataBytes, "maxInboundMetadataBytes of its ServerBuilder");
    }
    if (!found) {
      return CallStatuses.unknownMethod(fullMethodName);
    }
    Optional<Deadline> deadline = start.deadline();
    return deadline.isPresent() && deadline.get().isExpired() ? CallStatuses.LATE_AT_SERVER : null;
  }

  private <Q, A, B> void begin(
      InProcessClientStream<Q, ?> call, ServerMethod<A, B> method, @Nullable Q sent, boolean last) {
    CallEvent.Handed request = handOverFirst(call, method, sent, last);
    if (sent == null || request != null) {
      call.begin(new InProcessServerStream<>(call, method), request, last);
    }
  }

  /**
   * The message for the server, before the server has a stream: a stream that is not begun would
   * keep the connection. Null if there is none, or if it has ended the call.
   */
  private <Q> CallEvent.@Nullable Handed handOverFirst(
      InProcessClientStream<Q, ?> call, ServerMethod<?, ?> to, @Nullable Q sent, boolean last) {
    CallEvent.Handed request = null;
    try {
      request = call.handOver(sent, last, to);
    } finally {
      if (sent != null && request == null) {
        tracing.onRefused(call.start(), Optional.of(to), InProcessClientStream.CANCELLED_BY_CLIENT);
      }
    }
    return request;
  }
}
