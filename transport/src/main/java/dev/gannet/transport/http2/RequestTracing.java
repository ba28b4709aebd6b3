package dev.gannet.transport.http2;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.RequestHead;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.StreamTrace;
import dev.gannet.transport.TracerFailures;
import java.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Reports the requests of one connection to the server's tracers: those that become calls, and
 * those that do not, for which start and end are reported at once. On the connection's loop.
 */
final class RequestTracing {
  private static final String PATH = ":path";
  private static final String AUTHORITY = ":authority";

  private final List<ServerStreamTracer.Factory> makers;
  private final ConnectionInfo connection;

  RequestTracing(List<ServerStreamTracer.Factory> makers, ConnectionInfo connection) {
    this.makers = makers;
    this.connection = connection;
  }

  /** A request that was understood as a call. */
  private record Called(
      RequestHead.Call head,
      HeaderList fields,
      Optional<MethodDescriptor<?, ?>> method,
      ConnectionInfo connection)
      implements ServerStreamTracer.Start {
    @Override
    public String path() {
      return head.path();
    }

    @Override
    public String authority() {
      return head.authority();
    }

    @Override
    public Metadata headers() {
      return head.metadata(fields);
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

  /** A request that is not a call. */
  private record Uncalled(String path, String authority, ConnectionInfo connection)
      implements ServerStreamTracer.Start {
    @Override
    public Optional<MethodDescriptor<?, ?>> method() {
      return Optional.empty();
    }

    @Override
    public Metadata headers() {
      return new Metadata();
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

  /** A call starts whose handler will be called; null if nobody traces it. */
  <R> @Nullable TracedCall begin(
      RequestHead.Call head, HeaderList fields, ServerMethod<?, R> method, ServerStream<R> stream) {
    if (makers.isEmpty()) {
      return null;
    }
    ServerStreamTracer[] tracers =
        tracers(new Called(head, fields, method.described(), connection));
    return tracers.length == 0 ? null : TracedCall.begin(method, stream, tracers);
  }

  /** A call was refused before a handler saw it. */
  void onRefused(
      RequestHead.Call head,
      HeaderList fields,
      Optional<MethodDescriptor<?, ?>> method,
      Status status) {
    if (!makers.isEmpty()) {
      beginAndEnd(new Called(head, fields, method, connection), status);
    }
  }

  /** A request with these fields is not a call, and was answered so. */
  void onRejected(HeaderList fields, Status status) {
    if (!makers.isEmpty()) {
      beginAndEnd(new Uncalled(value(fields, PATH), value(fields, AUTHORITY), connection), status);
    }
  }

  /** A request arrived whose fields were not kept. */
  void onUnread(Status status) {
    if (!makers.isEmpty()) {
      beginAndEnd(new Uncalled("", "", connection), status);
    }
  }

  private void beginAndEnd(ServerStreamTracer.Start start, Status status) {
    new StreamTrace<>(tracers(start)).onEnd(status, Metadata.empty());
  }

  private ServerStreamTracer[] tracers(ServerStreamTracer.Start start) {
    return TracerFailures.makeAll(
        makers,
        start,
        ServerStreamTracer.Factory::newTracer,
        ServerStreamTracer[]::new,
        ServerStreamTracer.none());
  }

  private static String value(HeaderList fields, String name) {
    for (HeaderField field : fields) {
      if (field.name().equals(name)) {
        return field.value();
      }
    }
    return "";
  }
}
