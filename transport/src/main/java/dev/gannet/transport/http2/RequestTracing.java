package dev.gannet.transport.http2;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.RequestHead;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.tracing.RequestStart;
import dev.gannet.transport.tracing.ServerTracers;
import java.util.List;
import java.util.Optional;

/** Reports the requests of one connection to the server's tracers. On the connection's loop. */
final class RequestTracing {
  private static final String PATH = ":path";
  private static final String AUTHORITY = ":authority";

  private final ServerTracers tracers;
  private final ConnectionInfo connection;

  RequestTracing(List<ServerStreamTracer.Factory> makers, ConnectionInfo connection) {
    this.tracers = new ServerTracers(makers);
    this.connection = connection;
  }

  /** A request that was understood as a call. */
  private record Called(
      RequestHead.Call head,
      HeaderList fields,
      Optional<MethodDescriptor<?, ?>> method,
      ConnectionInfo connection)
      implements RequestStart {
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
  }

  /** A request that is not a call. */
  private record Uncalled(String path, String authority, ConnectionInfo connection)
      implements RequestStart {
    @Override
    public Optional<MethodDescriptor<?, ?>> method() {
      return Optional.empty();
    }

    @Override
    public Metadata headers() {
      return new Metadata();
    }
  }

  /** Passes a call to the engine; its events pass its tracers, if there are any. */
  <R> ServerCallEventListener begin(
      RequestHead.Call head, HeaderList fields, ServerMethod<?, R> method, ServerStream<R> stream) {
    return tracers.isEmpty()
        ? method.begin(stream)
        : tracers.begin(new Called(head, fields, method.described(), connection), method, stream);
  }

  /** A call was refused before a handler saw it. */
  void onRefused(
      RequestHead.Call head,
      HeaderList fields,
      Optional<MethodDescriptor<?, ?>> method,
      Status status) {
    if (!tracers.isEmpty()) {
      tracers.onRefused(new Called(head, fields, method, connection), status);
    }
  }

  /**
   * A request was refused, and only its fields are known: it is not a call, cannot be understood as
   * one, or there was no stream for it.
   */
  void onRefused(HeaderList fields, Status status) {
    if (!tracers.isEmpty()) {
      tracers.onRefused(
          new Uncalled(value(fields, PATH), value(fields, AUTHORITY), connection), status);
    }
  }

  /** A request arrived whose fields were not kept. */
  void onUnread(Status status) {
    if (!tracers.isEmpty()) {
      tracers.onRefused(new Uncalled("", "", connection), status);
    }
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
