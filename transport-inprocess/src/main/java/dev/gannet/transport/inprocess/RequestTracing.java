package dev.gannet.transport.inprocess;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.transport.CallEventListener;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.StreamTrace;
import dev.gannet.transport.TracerFailures;
import java.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * Reports the requests of one connection to the server's tracers: those that become calls, and
 * those that do not, which begin and end here at once. Safe for all threads.
 */
final class RequestTracing {
  private final List<ServerStreamTracer.Factory> makers;
  private final ConnectionInfo connection;

  RequestTracing(List<ServerStreamTracer.Factory> makers, ConnectionInfo connection) {
    this.makers = makers;
    this.connection = connection;
  }

  private record Request(
      CallStart<?, ?> start, Optional<MethodDescriptor<?, ?>> method, ConnectionInfo connection)
      implements ServerStreamTracer.Start {
    @Override
    public String path() {
      return "/" + start.method().fullMethodName();
    }

    @Override
    public String authority() {
      return start.authority();
    }

    @Override
    public Metadata headers() {
      return start.headers().copy();
    }

    @Override
    public SocketAddress peer() {
      return connection.remoteAddress();
    }

    @Override
    public Optional<SSLSession> sslSession() {
      return connection.tls();
    }
  }

  /** Passes a call to the engine; its events pass its tracers, if there are any. */
  <R> CallEventListener begin(
      CallStart<?, ?> start, ServerMethod<?, R> method, ServerStream<R> stream) {
    if (makers.isEmpty()) {
      return method.begin(stream);
    }
    ServerStreamTracer[] tracers = tracers(start, method.described());
    if (tracers.length == 0) {
      return method.begin(stream);
    }
    try {
      return new TracedCallListener(method.begin(stream), tracers);
    } catch (Throwable e) {
      Status why = Status.INTERNAL.withDescription("the call cannot be started").withCause(e);
      new StreamTrace<>(tracers).onEnd(why, Metadata.empty());
      throw e;
    }
  }

  /** A call was refused before a handler saw it. */
  void onRefused(
      CallStart<?, ?> start, Optional<? extends ServerMethod<?, ?>> method, Status status) {
    if (!makers.isEmpty()) {
      ServerStreamTracer[] tracers = tracers(start, method.map(ServerMethod::descriptor));
      new StreamTrace<>(tracers).onEnd(status, Metadata.empty());
    }
  }

  private ServerStreamTracer[] tracers(
      CallStart<?, ?> start, Optional<MethodDescriptor<?, ?>> method) {
    Request request = new Request(start, method, connection);
    return TracerFailures.makeAll(
        makers,
        request,
        ServerStreamTracer.Factory::newTracer,
        ServerStreamTracer[]::new,
        ServerStreamTracer.none());
  }
}
