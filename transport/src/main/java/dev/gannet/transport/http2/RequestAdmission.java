package dev.gannet.transport.http2;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.GrpcRequests;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.RequestHead;
import dev.gannet.protocol.RequestProtocol;
import dev.gannet.protocol.RequestProtocols;
import dev.gannet.transport.CallStatuses;
import dev.gannet.transport.RegistryFailures;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.settings.ServerDeadline;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of each request on a server's connection. It begins as a {@link
 * ServerCallStream} if it is a call of a method that the server has, in a form that the method
 * accepts, and if there is memory for it. Every other request is answered or reset here, without a
 * handler, and reported to the tracers. Confined to the connection's loop.
 */
final class RequestAdmission {
  private static final Logger LOG = System.getLogger(RequestAdmission.class.getName());
  private static final Status OVERSIZED =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "the request's headers exceed the server's maxInboundMetadataBytes, or its"
              + " maxHeaderFields; raise it in ServerBuilder (TransportLimits)");

  private static final String NO_MEMORY_WHY =
      "memoryBudget is exceeded, and no call was served on the connection yet";
  private static final Status NO_MEMORY =
      Status.UNAVAILABLE.withDescription("refused: " + NO_MEMORY_WHY);
  private static final Status UNCARRIED =
      Status.UNIMPLEMENTED.withDescription(
          "the request's protocol does not support streaming methods");
  private static final Status FOREIGN_FORMAT =
      Status.UNIMPLEMENTED.withDescription(
          "the method does not support the message format of the content-type");

  private final ServerConnection connection;
  private final ConnectionParts parts;
  private final ServerCalls calls;
  private final RequestProtocols protocols;
  private final RequestTracing tracing;
  private final LongSupplier clock;
  private final Function<HeaderField, KnownPath> findMethod = this::findMethod;

  /**
   * Admission to a connection whose parts exist already.
   *
   * @param clock for deadlines, in nanoseconds
   */
  RequestAdmission(
      ServerConnection connection, ServerCalls calls, RequestTracing tracing, LongSupplier clock) {
    this.connection = connection;
    this.parts = connection.parts();
    this.calls = calls;
    this.protocols = calls.protocols();
    this.tracing = tracing;
    this.clock = clock;
  }

  /** A request has begun; the end says whether it consists of headers only. */
  void onRequest(Http2Stream stream, HeaderList headers, EndStream end) {
    switch (protocols.headOf(headers)) {
      case RequestHead.Call head -> onCall(stream, head, headers, end);
      case RequestHead.NotACall other -> {
        answerNotACall(stream, other.protocol(), other.httpStatus(), other.status());
        tracing.onRefused(headers, other.status());
      }
      case RequestHead.Refused refused -> {
        refuse(stream, refused.protocol(), refused.status());
        tracing.onRefused(headers, refused.status());
      }
    }
  }

  /** A request has begun whose headers exceed the limit and were skipped. */
  void onOversizedRequest(Http2Stream stream) {
    answerNotACall(stream, GrpcRequests.GRPC, RequestHead.HEADER_FIELDS_TOO_LARGE, OVERSIZED);
    tracing.onUnread(OVERSIZED);
  }

  private void onCall(
      Http2Stream stream, RequestHead.Call head, HeaderList headers, EndStream end) {
    ServerMethod<?, ?> known = head.pathField().attachment(KnownPath.class, findMethod).method;
    if (known == null) {
      onUnknownPath(stream, head, headers, end);
    } else {
      onCall(stream, head, headers, end, known);
    }
  }

  /** Not cached with the path, because methods of a registry may change. */
  private void onUnknownPath(
      Http2Stream stream, RequestHead.Call head, HeaderList headers, EndStream end) {
    Optional<? extends ServerMethod<?, ?>> found;
    try {
      found = calls.findFallback(head.path());
    } catch (Throwable e) {
      RegistryFailures.log(e);
      refuse(stream, head, headers, null, RegistryFailures.STATUS);
      return;
    }
    if (found.isPresent()) {
      onCall(stream, head, headers, end, found.get());
    } else {
      refuse(stream, head, headers, null, unknownMethod(head.path()));
    }
  }

  private void onCall(
      Http2Stream stream,
      RequestHead.Call head,
      HeaderList headers,
      EndStream end,
      ServerMethod<?, ?> method) {
    Optional<MessageEncoding> encoding = calls.encodings().read(head.encoding());
    OptionalLong timeoutNanos = head.timeoutNanos(headers);
    if (!head.protocol().carries(method.descriptor().type())) {
      refuse(stream, head, headers, method, UNCARRIED);
    } else if (!hasMarshallers(head, method.descriptor())) {
      refuse(stream, head, headers, method, FOREIGN_FORMAT);
    } else if (encoding.isEmpty()) {
      refuse(stream, head, headers, method, unknownEncoding());
    } else if (!parts.memory().admitsCall()) {
      refuseUnprocessed(stream, head, headers, method);
    } else if (timeoutNanos.isPresent() && timeoutNanos.getAsLong() == 0) {
      refuse(stream, head, headers, method, CallStatuses.LATE_AT_SERVER);
    } else {
      ServerDeadline deadline = method.limits().deadline(timeoutNanos, clock);
      ServerCallStream<?> call = begin(method, stream, head, headers, encoding.get(), deadline);
      if (end == EndStream.YES) {
        call.onEndStream();
      }
    }
  }

  private Status unknownEncoding() {
    return Status.UNIMPLEMENTED.withDescription(
        "the request's messages have an unknown compression (grpc-encoding); the server accepts "
            + calls.encodings().accept());
  }

  /** What is cached with a path in HPACK's table: its method, or that there is none. */
  private record KnownPath(@Nullable ServerMethod<?, ?> method) {}

  /** Called once for each table entry. */
  private KnownPath findMethod(HeaderField path) {
    return new KnownPath(calls.find(path.value()).orElse(null));
  }

  /**
   * Whether the protocol and its marshallers support the method and the format, in both directions.
   * They may throw for one that they were not made for.
   */
  private static boolean hasMarshallers(RequestHead.Call head, MethodDescriptor<?, ?> method) {
    try {
      RequestProtocol protocol = head.protocol();
      Marshaller<?> reader = Objects.requireNonNull(protocol.requestMarshaller(method));
      Marshaller<?> writer = Objects.requireNonNull(protocol.responseMarshaller(method));
      String format = head.format();
      return format.isEmpty() || (reader.reads(format) && writer.writes(format));
    } catch (Throwable e) {
      LOG.log(Level.DEBUG, "a marshaller of " + method.fullMethodName() + " failed", e);
      return false;
    }
  }

  private <Q, R> ServerCallStream<R> begin(
      ServerMethod<Q, R> method,
      Http2Stream stream,
      RequestHead.Call head,
      HeaderList headers,
      MessageEncoding encoding,
      ServerDeadline deadline) {
    ServerCallStream<R> call =
        new ServerCallStream<>(connection, stream, head, headers, method, deadline);
    stream.attach(call);
    ServerCallEventListener events = tracing.begin(head, headers, method, call);
    if (method.descriptor().type().clientSendsOneMessage()) {
      call.expectOneMessage();
    }
    call.begin(events, encoding);
    return call;
  }

  private static Status unknownMethod(String path) {
    String name = path.startsWith("/") ? path.substring(1) : path;
    return CallStatuses.unknownMethod(name);
  }

  /** Ends a call that no handler sees; its method is null if its path has none. */
  private void refuse(
      Http2Stream stream,
      RequestHead.Call head,
      HeaderList headers,
      @Nullable ServerMethod<?, ?> method,
      Status status) {
    refuse(stream, head.protocol(), status);
    tracing.onRefused(
        head, headers, Optional.ofNullable(method).map(ServerMethod::descriptor), status);
  }

  /** Refuses a call for lack of memory, so that the client may send it again, to any server. */
  private void refuseUnprocessed(
      Http2Stream stream, RequestHead.Call head, HeaderList headers, ServerMethod<?, ?> method) {
    parts.http2().reset(stream, ErrorCode.REFUSED_STREAM);
    parts.http2().release(stream);
    tracing.onRefused(head, headers, Optional.of(method.descriptor()), NO_MEMORY);
    connection.onRefused(PeerFault.CALL_WITHOUT_MEMORY, NO_MEMORY_WHY);
    connection.onStreamEnded();
  }

  /** Ends a call that no handler sees, with a status of its protocol. */
  private void refuse(Http2Stream stream, RequestProtocol protocol, Status status) {
    AnsweredRequest answered = new AnsweredRequest(connection, stream);
    protocol.end(status, new Metadata(), answered);
    answered.requireEnd();
  }

  /** Ends a request that is not a call, with a status of HTTP. */
  private void answerNotACall(
      Http2Stream stream, RequestProtocol protocol, int httpStatus, Status status) {
    AnsweredRequest answered = new AnsweredRequest(connection, stream);
    protocol.answerNotACall(httpStatus, status, answered);
    answered.requireEnd();
  }
}
