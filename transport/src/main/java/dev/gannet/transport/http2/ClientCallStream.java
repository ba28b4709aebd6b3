package dev.gannet.transport.http2;

import dev.gannet.api.CallFailure;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.MessageDeframer;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageFrame;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.protocol.RequestFields;
import dev.gannet.protocol.ResponseHead;
import dev.gannet.protocol.StatusMapping;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.CallStatuses;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ExceededDeadline;
import dev.gannet.transport.FailureDetails;
import dev.gannet.transport.NotProcessed;
import dev.gannet.transport.RetryTarget;
import dev.gannet.transport.memory.SpareArrays;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One call of a client on an HTTP/2 connection.
 *
 * <pre>
 *   NEW ──first write command──► WAITING (no stream free) ──► OPEN
 *
 *   NEW, WAITING, OPEN ──cancel, deadline, broken rules──────────────────► ENDED
 *   NEW, WAITING, OPEN ──end by the server, connection lost──► LEFT_TO_READER ──cancel──► ENDED
 *   NEW, WAITING, OPEN ──the server has not processed it─────────────────► MOVED
 *              WAITING ──other connections may be used───────────────────► MOVED
 * </pre>
 *
 * <p>In LEFT_TO_READER the reader may still take what has arrived, and then the end. MOVED: the
 * call continues as another attempt, to which everything is forwarded.
 *
 * <p>Write commands are created on the caller's thread and posted to the connection's loop;
 * everything else happens on that loop.
 */
final class ClientCallStream<Q, R> extends CallStream<Q, ClientCallEventListener>
    implements ClientStream<Q> {
  private static final Thread.Builder OFF_LOOPS =
      Thread.ofVirtual().name("gannet-callback").inheritInheritableThreadLocals(false);

  private enum State {
    NEW,
    WAITING,
    OPEN,
    LEFT_TO_READER,
    ENDED,
    MOVED
  }

  private final ClientConnection connection;
  private final CallStart<Q, R> start;

  /** The call's deadline on the connection's clock. */
  private final long deadlineNanos;

  // Fields of the caller's thread.
  private @Nullable ClientWriteCommand openCommand;
  private boolean begun;

  // Fields of the loop.
  private State state = State.NEW;
  private final ReplayBuffer request = new ReplayBuffer();
  private @Nullable RetryTarget retryTarget;
  private @Nullable Http2Stream stream;

  /** The code of the RST_STREAM that the server has sent; null if it has not. */
  private @Nullable ErrorCode resetBy;

  ClientCallStream(
      ClientConnection connection, CallStart<Q, R> start, ClientCallEventListener events) {
    super(
        connection.parts(),
        start.method().requestMarshaller(),
        start.method().responseMarshaller());
    this.connection = connection;
    this.start = start;
    this.deadlineNanos =
        start.deadline().isPresent()
            ? start.deadline().get().atNanos(connection.clock())
            : DeadlineHeap.NEVER;
    setListener(events);
  }

  @Override
  public void send(Q message, boolean compressed) {
    MessageEncoding encoding = compressed ? start.encoding() : MessageEncoding.IDENTITY;
    put(outgoing.frame(message, encoding, start.messages()));
  }

  @Override
  public void sendFramed(ByteBuffer frame) {
    outgoing.add(frame);
    put(frame);
  }

  private void put(ByteBuffer frame) {
    if (current().message() != null) {
      flush();
    }
    current().message(frame);
  }

  @Override
  public void halfClose() {
    current().halfClose();
  }

  @Override
  public void flush() {
    if (openCommand != null || !begun) {
      begun = true;
      ClientWriteCommand full = current();
      openCommand = null;
      parts.mailbox().post(full);
    }
  }

  private ClientWriteCommand current() {
    ClientWriteCommand open = openCommand;
    if (open == null) {
      open = new ClientWriteCommand(this);
      openCommand = open;
    }
    return open;
  }

  @Override
  public void cancel(Status status) {
    parts.mailbox().post(new StreamMail(() -> onCancel(status)));
  }

  private void onCancel(Status status) {
    switch (state) {
      case NEW, WAITING, OPEN -> abort(status, ErrorCode.CANCEL);
      case LEFT_TO_READER -> overtake(status);
      case MOVED -> target().cancel(status);
      case ENDED -> {}
    }
  }

  /**
   * The server's status may still wait behind messages that nobody reads; this end is delivered
   * before them. A reset that waits there is a detail of a deadline that passes meanwhile, but not
   * of a cancellation.
   */
  private void overtake(Status status) {
    state = State.ENDED;
    incoming.end(Unread.DROPPED);
    add(CallEvent.Closed.atOnce(FailureDetails.belongTo(status) ? explained(status) : status));
  }

  /** What the call continues as after it has MOVED. */
  private RetryTarget target() {
    return Objects.requireNonNull(retryTarget);
  }

  @Override
  public ConnectionInfo connection() {
    return parts.info();
  }

  @Override
  public boolean isReady() {
    return outgoing.isReady();
  }

  @Override
  public void consumed(int heldBytes) {
    incoming.onTaken(heldBytes);
  }

  @Override
  public void requested() {
    incoming.onRequested();
  }

  /** Processes what the caller did; the first write command starts the call. */
  void onWriteCommand(ClientWriteCommand command) {
    if (state == State.MOVED) {
      target().send(command::playTo);
      return;
    }
    request.add(command, memory());
    switch (state) {
      case NEW -> begin();
      case OPEN -> {
        write(command);
        keepLittle();
      }
      case WAITING, LEFT_TO_READER, ENDED, MOVED -> {} // is written later, or never
    }
  }

  private CallMemory memory() {
    return parts.calls();
  }

  private void begin() {
    Optional<Status> refusal = connection.refusal();
    if (refusal.isPresent()) {
      moveElsewhere(NotProcessed.NOT_SENT, refusal.get());
      return;
    }
    if (start.deadline().isPresent()) {
      parts.deadlines().add(this);
    }
    if (parts.http2().canOpenStream()) {
      writeAll();
    } else {
      state = State.WAITING;
      outgoing.awaitStream();
      connection.waitingCalls().add(this);
    }
  }

  /** The call has waited since then for a stream, and does not any more. */
  void onWaited(long sinceNanos) {
    listener().onWaitedForStream(sinceNanos);
  }

  /** A stream is free now: everything that was queued meanwhile is written. */
  void onStreamFree() {
    outgoing.onStream();
    writeAll();
  }

  private void writeAll() {
    openStream();
    request.forEach(ClientWriteCommand::write);
    keepLittle();
  }

  /** Opens the stream of the call. */
  private void openStream() {
    state = State.OPEN;
    HeaderList shared;
    HeaderList own;
    try {
      shared = connection.sharedFields(start);
      own = ownFields();
    } catch (StatusException e) {
      abort(e.status(), ErrorCode.CANCEL);
      return;
    } catch (RuntimeException | Error e) { // nothing is written yet, so only this call fails
      Status why = Status.INTERNAL.withDescription("the call's headers cannot be created");
      abort(why.withCause(e), ErrorCode.CANCEL);
      return;
    }
    long headerBytes = (long) shared.sizeBytes() + own.sizeBytes();
    long mostBytes = parts.http2().peerMaxHeaderListBytes();
    if (headerBytes > mostBytes) { // the server might otherwise end all calls of the connection
      abort(
          CallStatuses.oversizedRequestMetadata(
              headerBytes,
              mostBytes,
              "SETTINGS_MAX_HEADER_LIST_SIZE; maxInboundMetadataBytes of a ServerBuilder"),
          ErrorCode.CANCEL);
      return;
    }
    Http2Stream opened = openStream(shared, own);
    opened.attach(this);
    stream = opened;
    if (isTraced()) {
      listener().onHeadersSent(parts.info(), start.authorityOn(connection));
    }
    outgoing.standingBytes(opened);
    if (outgoing.reconsider()) {
      onReady();
    }
  }

  private HeaderList ownFields() {
    return start.deadline().isPresent()
        ? RequestFields.own(start.headers(), start.deadline().get().remainingNanos())
        : RequestFields.own(start.headers());
  }

  /**
   * If there is no memory for the headers, the connection is closed: otherwise nothing would end
   * the call.
   */
  private Http2Stream openStream(HeaderList shared, HeaderList own) {
    try {
      return parts.http2().openStream(shared, own, EndStream.NO);
    } catch (RuntimeException | Error e) {
      abort(
          Status.UNAVAILABLE.withDescription("the call's headers cannot be written").withCause(e),
          ErrorCode.CANCEL);
      throw e;
    }
  }

  /** Writes the command to the stream, if there is one: the call may have ended before. */
  void write(ClientWriteCommand command) {
    Http2Stream current = stream;
    if (current == null) {
      return;
    }
    ByteBuffer message = command.message();
    if (message != null) {
      traceSent(message);
      parts.http2().sendData(current, message, command.end());
    } else if (command.end() == EndStream.YES) {
      parts.http2().sendData(current, ByteBuffer.allocate(0), EndStream.YES);
    }
  }

  private void traceSent(ByteBuffer frame) {
    if (isTraced()) {
      listener()
          .onMessageSent(
              MessageFrame.wireBytes(frame), MessageFrame.messageBytes(frame, start.encoding()));
    }
  }

  private boolean isTraced() {
    return listener().isTraced();
  }

  private ClientCallEventListener listener() {
    return Objects.requireNonNull(events());
  }

  /** Another listener gets the further events, unless the end was the last one. On the loop. */
  void replaceListener(UnaryOperator<ClientCallEventListener> replacement) {
    if (!isOver()) {
      setListener(replacement.apply(listener()));
    }
  }

  private void keepLittle() {
    if (request.isTooLarge(memory())) {
      request.drop(memory());
    }
  }

  /** The array of a message that may have to be sent again is kept with it. */
  void onBufferEmpty(ByteBuffer data) {
    if (request.isKept()) {
      data.position(data.limit()); // also where only the rest of the message was copied
    } else {
      SpareArrays.SHARED.give(data);
    }
  }

  void onHeaders(HeaderList fields, EndStream end) {
    request.drop(memory());
    ResponseHead head = ResponseHead.of(fields);
    if (end == EndStream.YES) {
      onTrailers(head);
    } else {
      onFirstHeaders(head);
    }
  }

  private void onFirstHeaders(ResponseHead head) {
    Optional<Status> fault = head.headersFault();
    Optional<MessageEncoding> encoding = connection.encodings().read(head.encoding());
    if (fault.isPresent()) {
      boolean hasFailed = head.hasStatus() && !head.endStatus().isOk();
      abort(hasFailed ? head.endStatus() : fault.get(), ErrorCode.CANCEL);
    } else if (encoding.isEmpty()) {
      abort(
          Status.INTERNAL.withDescription(
              "the response's messages have an unknown compression (grpc-encoding); the client"
                  + " accepts "
                  + connection.encodings().accept()),
          ErrorCode.CANCEL);
    } else {
      incoming.expect(
          new MessageDeframer(
              encoding.get(), start.maxInboundMessageBytes(), inboundLimit(), SpareArrays.SHARED));
      add(new CallEvent.Headers(head.metadata()));
    }
  }

  private void onTrailers(ResponseHead head) {
    Status status = head.endStatus();
    parts.memory().onServed();
    Optional<Status> torn = status.isOk() ? incoming.onEnd() : Optional.empty();
    end(CallEvent.Closed.received(torn.orElse(status), head.metadata()), ErrorCode.NO_ERROR);
  }

  void onOversizedHeaders() {
    abort(CallStatuses.OVERSIZED_RESPONSE_METADATA, ErrorCode.CANCEL);
  }

  void onData(ByteBuffer bytes) {
    if (stream != null && state == State.OPEN) {
      Optional<IncomingMessages.Fault> fault = incoming.onData(stream, bytes);
      if (fault.isPresent()) {
        abort(fault.get().status(), ErrorCode.CANCEL);
      }
    }
  }

  void onEndStream() {
    Status torn = Status.INTERNAL.withDescription("the response ended without trailers");
    Status status = incoming.onEnd().orElse(torn);
    end(CallEvent.Closed.received(status, new Metadata()), ErrorCode.CANCEL);
  }

  void onSent(int bytes) {
    parts.memory().onSent(bytes);
    if (outgoing.onSent(bytes)) {
      onReady();
    }
  }

  /**
   * Reading a long message must not occupy an event loop, which a direct executor would do: from
   * then on, events of such a call are delivered on threads of its own.
   */
  @Override
  void wake(ClientCallEventListener events) {
    if (incoming.isLarge() && Thread.currentThread() instanceof EventLoopThread) {
      OFF_LOOPS.start(events::flush);
    } else {
      events.flush();
    }
  }

  @Override
  void onReady() {
    if (state == State.OPEN) {
      add(new CallEvent.Ready());
    }
  }

  @Override
  public int maxInboundMessageBytes() {
    return start.maxInboundMessageBytes();
  }

  @Override
  public MessageSizeLimit inboundLimit() {
    return start.messages().inboundLimit();
  }

  @Override
  public void giveUp(Status why) {
    abort(why, ErrorCode.CANCEL);
  }

  void onReset(ErrorCode code) {
    resetBy = code;
    boolean late = start.deadline().isPresent() && start.deadline().get().isExpired();
    Status status =
        code == ErrorCode.CANCEL && late ? deadlineExceeded() : StatusMapping.ofReset(code);
    if (code == ErrorCode.REFUSED_STREAM) {
      moveElsewhere(NotProcessed.REFUSED, status);
    } else {
      endBehindMessages(status, code);
    }
  }

  /** The connection is lost. */
  void onLost(Status status) {
    endBehindMessages(status, ErrorCode.CANCEL);
  }

  /** Delivers what the server did send before this end. */
  private void endBehindMessages(Status status, ErrorCode code) {
    end(CallEvent.Closed.received(status, new Metadata()), code);
  }

  /** The server broke a rule of HTTP on the call's stream, which has been reset. */
  void onBroken(Violation.OfStream violation) {
    String words = "the server violated HTTP/2: " + violation.detail();
    abort(Status.INTERNAL.withDescription(words), violation.code());
  }

  /**
   * The server will not process the call on this connection: it continues as another attempt, or
   * ends with that status.
   */
  void moveElsewhere(NotProcessed how, Status why) {
    if (!isOver() && !tryMove(how, why)) {
      abort(why, ErrorCode.CANCEL);
    }
  }

  /** The call is not over, and continues as another attempt; returns false if there is none. */
  boolean tryMove(NotProcessed how, Status why) {
    Optional<RetryTarget> way =
        request.isKept() ? retryTarget(how, explained(why)) : Optional.empty();
    if (way.isEmpty()) {
      return false;
    }
    request.moveTo(way.get(), memory());
    retryTarget = way.get();
    State left = state;
    state = State.MOVED;
    incoming.end(Unread.DROPPED);
    detach(left);
    connection.onCallEnded();
    return true;
  }

  private Optional<RetryTarget> retryTarget(NotProcessed how, Status why) {
    return listener().onNotProcessed(how, why);
  }

  /**
   * Ends the call at once; if the server's side of the call is still open, the stream is reset with
   * that code.
   */
  void abort(Status status, ErrorCode code) {
    end(CallEvent.Closed.atOnce(status), code);
  }

  @Override
  public void onDeadline() {
    abort(deadlineExceeded(), ErrorCode.CANCEL);
  }

  private Status deadlineExceeded() {
    String server = parts.info().remoteAddress().toString();
    String where =
        state == State.WAITING
            ? "waiting for a free stream to "
                + server
                + ", which accepts no more calls on a connection (SETTINGS_MAX_CONCURRENT_STREAMS;"
                + " maxConnectionsPerSubchannel allows more connections)"
            : "waiting for the response of " + server;
    return ExceededDeadline.of(start.deadline(), where);
  }

  private void end(CallEvent.Closed closed, ErrorCode code) {
    if (isOver()) {
      return;
    }
    State left = state;
    if (closed.order() == CallEvent.Order.BEHIND_MESSAGES) {
      state = State.LEFT_TO_READER;
      incoming.end(Unread.LEFT_TO_READER);
    } else {
      state = State.ENDED;
      incoming.end(Unread.DROPPED);
    }
    request.drop(memory());
    detach(left);
    add(explained(closed)); // first, because the next step may fail
    if (stream != null) {
      parts.http2().reset(stream, code);
    }
    connection.onCallEnded();
  }

  private CallEvent.Closed explained(CallEvent.Closed closed) {
    Status status = closed.status();
    boolean explains = FailureDetails.belongTo(status) || resetBy != null;
    return explains ? closed.withStatus(explained(status)) : closed;
  }

  /** The status, with details that the connection knows. */
  private Status explained(Status status) {
    CallFailure.Attempt attempt =
        CallFailure.Attempt.of(status).withServer(parts.info().remoteAddress());
    if (resetBy != null) {
      attempt = attempt.withResetCode(resetBy.name());
    }
    Optional<String> goAway = connection.goAway();
    if (goAway.isPresent()) {
      attempt = attempt.withGoAway(goAway.get());
    }
    return status.withFailure(CallFailure.of(attempt));
  }

  private boolean isOver() {
    return switch (state) {
      case NEW, WAITING, OPEN -> false;
      case LEFT_TO_READER, ENDED, MOVED -> true;
    };
  }

  /** Frees what the connection keeps for the call. */
  private void detach(State left) {
    if (left == State.WAITING) {
      connection.waitingCalls().remove(this);
    }
    outgoing.stop();
    parts.deadlines().remove(this);
  }

  @Override
  public long deadlineNanos() {
    return deadlineNanos;
  }
}
