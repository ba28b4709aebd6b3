package dev.gannet.transport.inprocess;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.tracing.RequestStart;
import dev.gannet.transport.tracing.ServerTracers;
import java.util.List;
import java.util.Optional;

/** Reports the requests of one connection to the server's tracers. Safe for all threads. */
final class InProcessTracing {
  private final ServerTracers tracers;
  private final ConnectionInfo connection;
  private final String ownAuthority;

  /**
   * The tracing of a connection.
   *
   * @param ownAuthority of calls that have no other
   */
  InProcessTracing(
      List<ServerStreamTracer.Factory> makers, ConnectionInfo connection, String ownAuthority) {
    this.tracers = new ServerTracers(makers);
    this.connection = connection;
    this.ownAuthority = ownAuthority;
  }

  private record Request(
      CallStart<?, ?> start,
      String authority,
      Optional<MethodDescriptor<?, ?>> method,
      ConnectionInfo connection)
      implements RequestStart {
    @Override
    public String path() {
      return "/" + start.method().fullMethodName();
    }

    @Override
    public Metadata headers() {
      return start.headers().copy();
    }
  }

  private Request request(CallStart<?, ?> start, Optional<MethodDescriptor<?, ?>> method) {
    return new Request(start, start.authority().orElse(ownAuthority), method, connection);
  }

  /** Passes a call to the engine; its events pass its tracers, if there are any. */
  <R> ServerCallEventListener begin(
      CallStart<?, ?> start, ServerMethod<?, R> method, ServerStream<R> stream) {
    return tracers.isEmpty()
        ? method.begin(stream)
        : tracers.begin(request(start, method.described()), method, stream);
  }

  /** A call was refused before a handler saw it; on a thread that may serve another call. */
  void onRefused(
      CallStart<?, ?> start, Optional<? extends ServerMethod<?, ?>> method, Status status) {
    if (!tracers.isEmpty()) {
      Request request = request(start, method.map(ServerMethod::descriptor));
      CallContext.runDetached(() -> tracers.onRefused(request, status));
    }
  }
}
