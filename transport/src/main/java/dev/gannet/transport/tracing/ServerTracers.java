package dev.gannet.transport.tracing;

import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.protocol.EmptyMetadata;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerStream;
import java.util.List;

/**
 * The tracers of a server's requests: of those that become calls, and of those that do not, which
 * start and end at once. Transports create the {@code Start} of a request only if this is not
 * {@linkplain #isEmpty empty}. Safe for all threads.
 */
public final class ServerTracers {
  private final List<ServerStreamTracer.Factory> makers;

  /** Tracers that these factories make for each request. */
  public ServerTracers(List<ServerStreamTracer.Factory> makers) {
    this.makers = makers;
  }

  /** Whether there is nobody to notify of any request. */
  public boolean isEmpty() {
    return makers.isEmpty();
  }

  /** Passes a call to the engine; its events pass its tracers, if there are any. */
  public <R> ServerCallEventListener begin(
      ServerStreamTracer.Start start, ServerMethod<?, R> method, ServerStream<R> stream) {
    ServerStreamTracer[] tracers = make(start);
    return tracers.length == 0 ? method.begin(stream) : TracedCall.begin(method, stream, tracers);
  }

  /** A request was refused before a handler saw it. */
  public void onRefused(ServerStreamTracer.Start start, Status status) {
    new StreamTrace<>(make(start)).onEnd(status, EmptyMetadata.SHARED);
  }

  private ServerStreamTracer[] make(ServerStreamTracer.Start start) {
    return TracerFailures.makeAll(
        makers,
        start,
        ServerStreamTracer.Factory::newTracer,
        ServerStreamTracer[]::new,
        ServerStreamTracer.none());
  }
}
