package dev.gannet.suites;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.tracing.RequestStart;
import dev.gannet.transport.tracing.ServerTracers;
import java.util.Optional;

/** Reports the requests of a {@link DirectConnection} to the server's tracers. */
record DirectTracing(ServerTracers tracers, ConnectionInfo connection, String ownAuthority) {
  private record Request(
      CallStart<?, ?> call,
      String authority,
      Optional<MethodDescriptor<?, ?>> method,
      ConnectionInfo connection)
      implements RequestStart {
    @Override
    public String path() {
      return "/" + call.method().fullMethodName();
    }

    @Override
    public Metadata headers() {
      return call.headers().copy();
    }
  }

  private Request request(CallStart<?, ?> call, Optional<MethodDescriptor<?, ?>> method) {
    return new Request(call, call.authority().orElse(ownAuthority), method, connection);
  }

  /** Passes a call to the engine; its events pass its tracers, if there are any. */
  <R> ServerCallEventListener begin(
      CallStart<?, ?> call, ServerMethod<?, R> method, ServerStream<R> stream) {
    return tracers.isEmpty()
        ? method.begin(stream)
        : tracers.begin(request(call, method.described()), method, stream);
  }

  /** A request does not become a call. */
  void onRefused(
      CallStart<?, ?> call, Optional<? extends ServerMethod<?, ?>> method, Status status) {
    if (!tracers.isEmpty()) {
      Request request = request(call, method.map(ServerMethod::descriptor));
      tracers.onRefused(request, status);
    }
  }
}
