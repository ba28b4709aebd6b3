package dev.gannet.transport.http2;

import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Role;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.Violation;
import dev.gannet.http2.connection.ConnectionListener;
import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.GrpcRequests;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.protocol.RequestHead;
import dev.gannet.protocol.RequestProtocol;
import dev.gannet.protocol.RequestProtocols;
import dev.gannet.transport.CallEventListener;
import dev.gannet.transport.CallStatuses;
import dev.gannet.transport.LogAllowance;
import dev.gannet.transport.PeerText;
import dev.gannet.transport.RegistryFailures;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerTransport;
import dev.gannet.transport.memory.SpareArrays;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import dev.gannet.transport.settings.CallLimits;
import dev.gannet.transport.settings.ConnectionLimits;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A server's HTTP/2 connection that carries calls.
 *
 * <p>{@link ServerDrain} implements its graceful shutdown.
 */
public final class ServerConnection implements ServerTransport, PipeListener, ConnectionListener {
  private static final Logger LOG = System.getLogger(ServerConnection.class.getName());
  private static final LogAllowance GO_AWAY_LINES = new LogAllowance(System::nanoTime);
  private static final long SLOW_PASS_NANOS = Duration.ofMillis(10).toNanos();
  private static final String SHUT_DOWN = "the server is shut down";
  private static final String SHED = "too little of the server's memoryBudget is left";
  private static final Status OVERSIZED =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "the request's headers exceed the server's maxInboundMetadataBytes, or its"
              + " maxHeaderFields; raise it in ServerBuilder (TransportLimits)");

  private static final Status REFUSED =
      Status.UNAVAILABLE.withDescription(
          "refused: maxConcurrentCallsPerConnection is reached, or the server is shutting down");
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

  private final Owner owner;
  private final ServerCalls calls;
  private final RequestProtocols protocols;
  private final ConnectionLoop loop;
  private final ConnectionParts parts;
  private final Http2Connection http2;
  private final LongSupplier clock;
  private final Function<HeaderField, KnownPath> findMethod = this::findMethod;
  private final ServerDrain drain;
  private final ServerLifetime lifetime;
  private final RequestTracing tracing;
  private int brokenStreamId;
  private boolean goAwayLogged;

  private ServerConnection(Pipe pipe, ConnectionLimits limits, ServerCalls calls, Owner owner) {
    this.owner = owner;
    this.calls = calls;
    this.protocols = calls.protocols();
    this.loop = new ConnectionLoop(Role.SERVER, limits, pipe, this, this::shed);
    this.parts = loop.parts();
    this.http2 = parts.http2();
    this.clock = pipe::nanoTime;
    this.drain =
        new ServerDrain(
            http2, parts.deadlines(), clock, loop.closing(), this::leaveRejected, this::cutShort);
    this.tracing = new RequestTracing(calls.tracers(), pipe.info());
    this.lifetime = new ServerLifetime(limits.age(), http2, parts.deadlines(), clock, drain);
  }

  /** Creates a connection on an open pipe and sends its SETTINGS at once. On the pipe's loop. */
  public static ServerConnection over(
      Pipe pipe, ConnectionLimits limits, ServerCalls calls, Owner owner) {
    ServerConnection connection = new ServerConnection(pipe, limits, calls, owner);
    connection.lifetime.start();
    connection.loop.start();
    return connection;
  }

  MessageEncodings encodings() {
    return calls.encodings();
  }

  /** What its calls work with. */
  ConnectionParts parts() {
    return parts;
  }

  Http2Connection http2() {
    return http2;
  }

  /** Whether no more streams will start. */
  boolean isDrained() {
    return drain.isDrained();
  }

  @Override
  public void shutdown() {
    parts.mailbox().post(new StreamMail(() -> drain.begin(SHUT_DOWN, Timeouts.NEVER)));
  }

  @Override
  public void shutdownNow(Status status) {
    parts.mailbox().post(new StreamMail(() -> closeNow(status, SHUT_DOWN)));
  }

  /** Ends the calls, or closes, because memory is short and this connection wastes the most. */
  private void shed(String why) {
    boolean stays = parts.memory().tryStayWithoutCalls();
    Status cancelled = Status.CANCELLED.withDescription(SHED);
    endAllCalls(cancelled, ErrorCode.ENHANCE_YOUR_CALM); // clients see RESOURCE_EXHAUSTED
    if (stays) {
      owner.onCallsShed(parts.info().remoteAddress(), why);
    } else {
      owner.onShed(parts.info().remoteAddress(), why);
      loop.closing().closeSoon(ErrorCode.ENHANCE_YOUR_CALM, SHED);
    }
  }

  private void cutShort(String why) {
    closeNow(Status.UNAVAILABLE.withDescription("maxConnectionAgeGrace expired: " + why), why);
  }

  private void closeNow(Status status, String why) {
    failAllCalls(status);
    http2.flush();
    loop.closing().closeSoon(ErrorCode.NO_ERROR, why);
  }

  /** Stops a stream whose answer was written: nothing more of its request is wanted. */
  void stop(Http2Stream stream) {
    http2.reset(stream, ErrorCode.NO_ERROR);
    drain.closeIfDone();
  }

  /** The call has ended on the wire and in its handler. */
  void onCallEnded(Http2Stream stream) {
    http2.release(stream);
    lifetime.onCallGone();
    drain.closeIfDone();
  }

  /** A call has ended for its client; its handler still runs, and does not keep the connection. */
  void onStreamEnded() {
    drain.closeIfDone();
  }

  @Override
  public void onHeaders(Http2Stream stream, HeaderList headers, EndStream end) {
    ReceivedRequest request = requestOf(stream);
    if (request != null) {
      request.onEndStream(); // trailers: what else follows the first header list is malformed
      return;
    }
    switch (protocols.headOf(headers)) {
      case RequestHead.Call head -> onCall(stream, head, headers, end);
      case RequestHead.Rejected rejected -> {
        reject(stream, rejected.protocol(), rejected.httpStatus(), rejected.status());
        tracing.onRejected(headers, rejected.status());
      }
      case RequestHead.Refused refused -> {
        refuse(stream, refused.protocol(), refused.status());
        tracing.onRejected(headers, refused.status());
      }
    }
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
    } else if (!isOfTheFormat(head, method.descriptor())) {
      refuse(stream, head, headers, method, FOREIGN_FORMAT);
    } else if (encoding.isEmpty()) {
      refuse(stream, head, headers, method, unknownEncoding());
    } else if (!parts.memory().admitsCall()) {
      refuseUnprocessed(stream, head, headers, method);
    } else if (timeoutNanos.isPresent() && timeoutNanos.getAsLong() == 0) {
      refuse(stream, head, headers, method, CallStatuses.LATE_AT_SERVER);
    } else {
      ServerCallStream<?> call =
          begin(method, stream, head, headers, encoding.get(), deadlineOf(timeoutNanos, method));
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
   * If a marshaller throws for a format that it was not made for, it does not support that format.
   */
  private static boolean isOfTheFormat(RequestHead.Call head, MethodDescriptor<?, ?> method) {
    try {
      return head.format().isEmpty() || method.requestMarshaller().reads(head.format());
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
      Optional<Deadline> deadline) {
    ServerCallStream<R> call =
        new ServerCallStream<>(this, stream, head, headers, method, deadline);
    stream.attach(call);
    CallEventListener events = tracing.begin(head, headers, method, call);
    if (method.descriptor().type().clientSendsOneMessage()) {
      call.expectOneMessage();
    }
    call.begin(events, encoding);
    return call;
  }

  private Optional<Deadline> deadlineOf(OptionalLong timeoutNanos, ServerMethod<?, ?> method) {
    long nanos = method.limits().callNanos(timeoutNanos);
    return nanos == CallLimits.NO_LIMIT
        ? Optional.empty()
        : Optional.of(Deadline.after(Duration.ofNanos(nanos), clock));
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
    http2.reset(stream, ErrorCode.REFUSED_STREAM);
    http2.release(stream);
    tracing.onRefused(head, headers, Optional.of(method.descriptor()), NO_MEMORY);
    onRefused(PeerFault.CALL_WITHOUT_MEMORY, NO_MEMORY_WHY);
    drain.closeIfDone();
  }

  /** Ends a request that no handler sees. */
  private void refuse(Http2Stream stream, RequestProtocol protocol, Status status) {
    RejectedRequest refused = new RejectedRequest(this, stream);
    protocol.end(status, new Metadata(), refused);
    refused.requireEnd();
  }

  /** Ends a request that is not a call. */
  private void reject(Http2Stream stream, RequestProtocol protocol, int httpStatus, Status status) {
    RejectedRequest rejected = new RejectedRequest(this, stream);
    protocol.reject(httpStatus, status, rejected);
    rejected.requireEnd();
  }

  /** Ends all calls with an answer, so that clients learn the reason and can retry elsewhere. */
  private void failAllCalls(Status status) {
    loop.openCalls().forEach(ServerCallStream.class, call -> call.fail(status));
  }

  private void endAllCalls(Status status, ErrorCode code) {
    loop.openCalls().forEach(ServerCallStream.class, call -> call.abort(status, code));
  }

  @Override
  public void onRefusedStream(@Nullable HeaderList headers) {
    if (headers == null) {
      tracing.onUnread(REFUSED);
    } else {
      tracing.onRejected(headers, REFUSED);
    }
  }

  @Override
  public void onOversizedHeaders(Http2Stream stream, EndStream end) {
    ReceivedRequest request = requestOf(stream);
    if (request != null) {
      request.onOversizedTrailers();
    } else {
      reject(stream, GrpcRequests.GRPC, RequestHead.HEADER_FIELDS_TOO_LARGE, OVERSIZED);
      tracing.onUnread(OVERSIZED);
    }
  }

  @Override
  public void onData(Http2Stream stream, ByteBuffer bytes) {
    ReceivedRequest request = requestOf(stream);
    if (request != null) {
      request.onData(bytes);
    }
  }

  @Override
  public void onEndStream(Http2Stream stream) {
    ReceivedRequest request = requestOf(stream);
    if (request != null) {
      request.onEndStream();
    }
  }

  @Override
  public void onReset(Http2Stream stream, ErrorCode code) {
    ReceivedRequest request = requestOf(stream);
    if (request != null) {
      request.onReset(code);
    }
  }

  @Override
  public void onViolation(Violation.OfStream violation) {
    if (violation.streamId() != brokenStreamId) { // a malformed request, which no listener has seen
      String words = "the client violated HTTP/2: " + violation.detail();
      tracing.onUnread(Status.CANCELLED.withDescription(words));
    }
    owner.onStreamFault(parts.info().remoteAddress(), Faults.of(violation), describe(violation));
  }

  @Override
  public void onBroken(Http2Stream stream, Violation.OfStream violation) {
    brokenStreamId = violation.streamId();
    ReceivedRequest request = requestOf(stream);
    if (request != null) {
      request.onBroken(violation);
    }
  }

  @Override
  public void onUnprocessed(Http2Stream stream) {
    onReset(stream, ErrorCode.REFUSED_STREAM);
  }

  @Override
  public void onBufferEmpty(Http2Stream stream, ByteBuffer data) {
    SpareArrays.SHARED.give(data);
  }

  @Override
  public void onDataSent(Http2Stream stream, int bytes) {
    ReceivedRequest request = requestOf(stream);
    if (request != null) {
      request.onSent(bytes);
    }
  }

  @Override
  public void onEndSent(Http2Stream stream) {
    ReceivedRequest request = requestOf(stream);
    if (request != null) {
      request.onEndSent();
    }
  }

  /**
   * The request that arrived on the stream; null before it has, and for one that was answered by
   * headers alone.
   */
  private static @Nullable ReceivedRequest requestOf(Http2Stream stream) {
    return stream.attachment() instanceof ReceivedRequest request ? request : null;
  }

  /**
   * A request was refused, or an answer not sent, because it would need too much memory. Any
   * thread.
   */
  void onRefused(PeerFault fault, String why) {
    owner.onStreamFault(parts.info().remoteAddress(), fault, why);
  }

  @Override
  public void onSettings() {}

  @Override
  public void onPingAck(long opaque) {
    drain.onPingAck(opaque);
  }

  private void leaveRejected() {
    loop.openCalls().forEach(RejectedRequest.class, RejectedRequest::onDrain);
  }

  @Override
  public void onGoAway(int lastStreamId, ErrorCode code, String debug) {
    if (code != ErrorCode.NO_ERROR && !goAwayLogged) {
      goAwayLogged = true;
      logGoAway(code, debug);
    }
  }

  private void logGoAway(ErrorCode code, String debug) {
    GO_AWAY_LINES.write("of these", rest -> LOG.log(Level.INFO, () -> goAway(code, debug) + rest));
  }

  private String goAway(ErrorCode code, String debug) {
    return "client "
        + parts.info().remoteAddress()
        + " closes its connection (GOAWAY) with "
        + code
        + " "
        + PeerText.escaped(debug);
  }

  @Override
  public void onFailed(Violation violation) {
    if (violation.code() != ErrorCode.NO_ERROR) { // a network failure is no fault of the peer
      owner.onFault(parts.info().remoteAddress(), Faults.of(violation), describe(violation));
    }
    loop.closing().closeAfterFailure();
    endAllCalls(
        Status.CANCELLED.withDescription("the connection is closed: " + violation.detail()),
        ErrorCode.CANCEL);
  }

  @Override
  public void onWireFault(ErrorCode code, String rule) {
    if (loop.closing().sendGoAway(code, rule)) {
      onFailed(new Violation.OfConnection(code, rule));
    }
  }

  private static String describe(Violation violation) {
    return violation.code() + ", " + violation.detail();
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    loop.receive(bytes);
  }

  @Override
  public void onBatchEnd() {
    if (loop.endPass() >= SLOW_PASS_NANOS) {
      calls.onSlowPass();
    }
  }

  @Override
  public void onWritable() {
    loop.endBatch();
  }

  @Override
  public void onWake() {
    loop.wake();
  }

  @Override
  public void onClosed(String why) {
    loop.shutOutlet();
    loop.dropUnread();
    Status lost =
        Status.CANCELLED.withDescription(
            "connection to client " + parts.info().remoteAddress() + " lost: " + why);
    List<Runnable> steps = new ArrayList<>();
    loop.openCalls()
        .forEach(
            ServerCallStream.class, call -> steps.add(() -> call.abort(lost, ErrorCode.CANCEL)));
    steps.add(loop::endLastBatch);
    steps.add(() -> owner.onTerminated(this));
    CleanupSteps.runAll(steps);
  }
}
