package dev.gannet.transport.http2;

import dev.gannet.api.Deadline;
import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.EmptyMetadata;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.protocol.RequestHead;
import dev.gannet.protocol.RequestProtocol;
import dev.gannet.protocol.ResponseWriter;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.memory.SpareArrays;
import dev.gannet.transport.settings.ServerDeadline;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One call to a server on an HTTP/2 connection, in one of the {@link ResponseState}s.
 *
 * <p>These methods end it:
 *
 * <pre>
 *   method       thread         what is written
 *   close        the handler's  the handler's status, behind what is queued
 *   fail         any            as by failOnLoop
 *   failOnLoop   the loop       another status, behind what is queued
 *   giveUp       the loop       as by failOnLoop
 *   endNow       the loop       another status, in place of what is queued; if it cannot be, a reset
 *   cancel       any            as by abort
 *   abort        the loop       a reset, in place of what is queued
 * </pre>
 *
 * <p>A call's deadline holds until its status is written: what a client's closed window blocks is
 * dropped then.
 *
 * <p>Write commands are created on the handler's thread and posted to the connection's loop;
 * everything else happens on that loop. The stream's slot is free once the call has ended here and
 * its handler is done: has answered, or has returned from a cancelled call.
 */
final class ServerCallStream<R> extends CallStream<R, ServerCallEventListener>
    implements ServerStream<R>, ReceivedRequest, ResponseWriter {
  /** How much of the response was given to HTTP/2. */
  private enum Queued {
    NOTHING,
    PART,
    ALL;

    static Queued upTo(EndStream end) {
      return end == EndStream.YES ? ALL : PART;
    }
  }

  private static final AtomicReferenceFieldUpdater<
          ServerCallStream<?>, @Nullable ServerWriteCommand>
      OPEN_COMMAND = updater();

  /** The memory of a call without its headers, its messages, and the thread of its handler. */
  private static final int OBJECTS_BYTES = 1 << 10;

  /**
   * The memory of a metadata value in addition to its bytes: several values may be joined into one
   * field on the wire.
   */
  private static final int VALUE_BYTES = 40;

  private static final String UNREAD =
      "the client does not read its responses, and its connection has used its part of the"
          + " server's memoryBudget";
  private static final String NO_MEMORY =
      "a large request does not fit into what is left of memoryBudget";

  private final ServerConnection connection;
  private final Http2Stream stream;
  private final RequestHead.Call head;
  private final HeaderList fields;
  private final int memoryBytes;
  private final ServerMethod<?, R> method;
  private final long beganNanos;

  // Fields of the handler's thread.
  private volatile @Nullable ServerWriteCommand openCommand;

  // Fields of the loop.
  private ResponseState state = ResponseState.OPEN;
  private Queued queued = Queued.NOTHING;

  /** Whether the request is complete: such calls are no waste in {@link CallMemory}. */
  private boolean requestWhole;

  private boolean handlerIsDone;

  /**
   * Followed by its grace once it has passed. Handlers' threads read it, too: the deadline that
   * they see is the same before and after.
   */
  private ServerDeadline deadline;

  /**
   * A call that has not started.
   *
   * @param fields the request's header list
   */
  ServerCallStream(
      ServerConnection connection,
      Http2Stream stream,
      RequestHead.Call head,
      HeaderList fields,
      ServerMethod<?, R> method,
      ServerDeadline deadline) {
    super(
        connection.parts(),
        head.protocol().responseMarshaller(method.descriptor()),
        head.protocol().requestMarshaller(method.descriptor()));
    this.connection = connection;
    this.stream = stream;
    this.head = head;
    this.fields = fields;
    this.memoryBytes =
        OBJECTS_BYTES
            + method.handlerBytes()
            + fields.sizeBytes()
            + VALUE_BYTES * head.metadataValues();
    this.deadline = deadline;
    this.method = method;
    this.beganNanos = parts.pass().beganNanos();
  }

  /** Rejects a second message; before the call starts. */
  void expectOneMessage() {
    incoming.expectOne();
  }

  /** Begins to listen to the client. */
  void begin(ServerCallEventListener events, MessageEncoding requestEncoding) {
    parts.calls().onCall(memoryBytes);
    setListener(events);
    touch();
    outgoing.standingBytes(stream);
    incoming.expect(
        protocol().deframer(requestEncoding, maxInboundMessageBytes(), SpareArrays.SHARED));
    incoming.refuseWithoutRoom();
    if (deadline.isSet()) {
      parts.deadlines().add(this);
    }
    if (CallAdmission.of(events) instanceof CallAdmission.Refused refused) {
      failOnLoop(refused.status(), refused.trailers());
    }
  }

  private RequestProtocol protocol() {
    return head.protocol();
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
  public Optional<Deadline> deadline() {
    return deadline.deadline();
  }

  @Override
  public ConnectionInfo connection() {
    return parts.info();
  }

  /** The marshaller that was found when the call began. */
  @Override
  @SuppressWarnings("unchecked") // it was asked for with this method
  public <Q> Marshaller<Q> requestMarshaller(MethodDescriptor<Q, ?> descriptor) {
    return (Marshaller<Q>) incoming.reader();
  }

  @Override
  public MessageEncodings encodings() {
    return connection.encodings();
  }

  @Override
  public boolean accepts(MessageEncoding encoding) {
    return head.accepts(encoding);
  }

  @Override
  public void sendHeaders(Metadata headers, MessageEncoding encoding) {
    ServerWriteCommand command = new ServerWriteCommand(this, encoding);
    command.headers(headers.copy()); // written later, on another thread
    OPEN_COMMAND.lazySet(this, command);
  }

  @Override
  public int send(R message, MessageEncoding encoding, boolean compressed, Flush flush) {
    boolean single = flush == Flush.WITH_STATUS; // its handler does not ask whether this is ready
    if ((single || outgoing.isFull()) && parts.sendQuota().isOverfull()) {
      connection.onRefused(PeerFault.RESPONSES_NOT_READ, UNREAD);
      throw Status.RESOURCE_EXHAUSTED.withDescription(UNREAD).asException();
    }
    MessageEncoding used = compressed ? encoding : MessageEncoding.IDENTITY;
    RequestProtocol protocol = protocol();
    ByteBuffer frame =
        outgoing.frame(message, used, protocol, method.limits().maxOutboundMessageBytes());
    int wireBytes = protocol.wireBytes(frame);
    ServerWriteCommand open = takeOpenCommand(); // headers, or nothing
    ServerWriteCommand command = open == null ? new ServerWriteCommand(this, encoding) : open;
    command.message(frame);
    if (flush == Flush.NOW) {
      parts.mailbox().post(command);
    } else {
      OPEN_COMMAND.lazySet(this, command);
    }
    return wireBytes;
  }

  @Override
  public void close(Status status, Metadata trailers) {
    ServerWriteCommand open = takeOpenCommand();
    ServerWriteCommand last =
        open == null ? new ServerWriteCommand(this, MessageEncoding.IDENTITY) : open;
    last.end(status, trailers.isEmpty() ? EmptyMetadata.SHARED : trailers.copy());
    parts.mailbox().post(last);
  }

  @Override
  public void flush() {
    ServerWriteCommand full = takeOpenCommand();
    if (full != null) {
      parts.mailbox().post(full);
    }
  }

  /**
   * A write command is posted by the thread that takes it out: a call may be closed, because one
   * thread throws, while another thread sends.
   */
  private @Nullable ServerWriteCommand takeOpenCommand() {
    return openCommand == null ? null : OPEN_COMMAND.getAndSet(this, null);
  }

  @Override
  public void fail(Status status, Metadata trailers) {
    parts.mailbox().post(new StreamMail(() -> failOnLoop(status, trailers)));
  }

  @Override
  public void cancel(Status status) {
    parts.mailbox().post(new StreamMail(() -> abort(status, ErrorCode.CANCEL)));
  }

  @Override
  public boolean isOnLoop() {
    return parts.mailbox().isOnLoop();
  }

  @Override
  public void runOnLoop(Runnable task) {
    if (isOnLoop()) {
      task.run();
    } else {
      parts.mailbox().post(new StreamMail(task));
    }
  }

  @Override
  public void inTurn(Runnable task) {
    parts
        .mailbox()
        .post(
            new StreamMail(() -> {
              task.run();
              touch();
            }));
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

  @Override
  public void handlerEnded() {
    parts.mailbox().post(new StreamMail(this::onHandlerEnded));
  }

  /** Writes what the handler has queued. */
  void onWriteCommand(ServerWriteCommand command) {
    if (state != ResponseState.OPEN) {
      return;
    }
    ServerCallEventListener traced = traced();
    if (traced != null) {
      trace(command, traced);
    }
    Status status = command.status();
    if (status != null) {
      endByHandler(status);
    }
    protocol().write(command, this);
    if (status != null) {
      requireEnd(status);
    }
  }

  /** The listener of a traced call; otherwise null. */
  private @Nullable ServerCallEventListener traced() {
    ServerCallEventListener events = events();
    return events != null && events.isTraced() ? events : null;
  }

  private void trace(ServerWriteCommand command, ServerCallEventListener traced) {
    ByteBuffer message = command.message();
    if (message == null) {
      traced.onResponseSent(
          command.headers(),
          ServerCallEventListener.NO_MESSAGE,
          ServerCallEventListener.NO_MESSAGE);
    } else {
      traced.onResponseSent(
          command.headers(),
          protocol().wireBytes(message),
          protocol().messageBytes(message, command.encoding()));
    }
    Status end = command.status();
    if (end != null) {
      traced.onEndGiven(end, command.trailers());
    }
  }

  /** Without this check the call would wait for an end that is never written. */
  private void requireEnd(Status status) {
    if (queued != Queued.ALL) {
      abort(status, ErrorCode.CANCEL);
    }
  }

  @Override
  public boolean hasBegun() {
    return queued != Queued.NOTHING;
  }

  @Override
  public void headers(HeaderList shared, HeaderList own, EndStream end) {
    queued = Queued.upTo(end);
    parts.http2().sendHeaders(stream, shared, own, end);
  }

  @Override
  public void data(ByteBuffer bytes, EndStream end) {
    queued = Queued.upTo(end);
    parts.http2().sendData(stream, bytes, end);
  }

  @Override
  public void trailers(HeaderList fields) {
    queued = Queued.ALL;
    parts.http2().sendTrailers(stream, fields, HeaderList.EMPTY);
  }

  /** The handler has sent everything; only the writing is left. */
  private void endByHandler(Status status) {
    handlerIsDone = true;
    incoming.end(Unread.DROPPED);
    state = state.onHandlersStatus(status);
    incoming.giveWholeWindowBack(); // the rest of the request is skipped
  }

  @Override
  public void onData(ByteBuffer bytes) {
    if (state == ResponseState.OPEN) {
      Optional<IncomingMessages.Fault> fault = incoming.onData(stream, bytes);
      if (fault.isPresent()) {
        failOnLoop(fault.get().status());
        if (fault.get().lacksMemory()) {
          connection.onRefused(PeerFault.REQUEST_WITHOUT_MEMORY, NO_MEMORY);
        }
      }
    } else if (state.isEnding()) {
      incoming.onDataAfterEnd(stream, bytes);
    }
  }

  @Override
  public void onEndStream() {
    if (!requestWhole && state != ResponseState.GONE) {
      requestWhole = true;
      parts.calls().changeWhole(memoryBytes);
    }
    if (state == ResponseState.OPEN) {
      Optional<Status> torn = incoming.onEnd();
      if (torn.isPresent()) {
        failOnLoop(torn.get());
      } else {
        add(new CallEvent.HalfClosed());
      }
    }
  }

  @Override
  public void onSent(int bytes) {
    parts.memory().onSent(bytes);
    if (handlerIsDone) {
      outgoing.onLastSent(bytes);
    } else if (outgoing.onSent(bytes)) {
      onReady();
    }
  }

  @Override
  void onReady() {
    if (state == ResponseState.OPEN) {
      add(new CallEvent.Ready());
    }
  }

  @Override
  public int maxInboundMessageBytes() {
    return method.limits().maxInboundMessageBytes();
  }

  @Override
  public MessageSizeLimit inboundLimit() {
    return MessageSizeLimit.OF_RECEIVED_REQUESTS;
  }

  @Override
  public void giveUp(Status why) {
    failOnLoop(why);
  }

  /**
   * The status is being sent. If a client has not ended its side, the stream is reset with
   * NO_ERROR, because nobody reads it (RFC 9113 §8.1).
   */
  @Override
  public void onEndSent() {
    if (state.isEnding()) {
      boolean served = state == ResponseState.ANSWERING;
      boolean notified = state.isEngineNotified();
      state = state.onEnd();
      outgoing.stop();
      parts.deadlines().remove(this);
      if (!notified) {
        add(CallEvent.Closed.atOnce(Status.OK));
      }
      if (served) {
        parts.http2().onServed();
      }
      if (handlerIsDone) { // whatever the client has sent
        parts.memory().onServed();
      }
      parts.http2().reset(stream, ErrorCode.NO_ERROR);
      releaseSlot();
    }
  }

  @Override
  public void onOversizedTrailers() {
    abort(
        Status.RESOURCE_EXHAUSTED.withDescription(
            "the request's trailers exceed the server's maxInboundMetadataBytes, or its"
                + " maxHeaderFields; raise it in ServerBuilder (TransportLimits)"),
        ErrorCode.PROTOCOL_ERROR);
  }

  @Override
  public void onReset(ErrorCode code) {
    HonestReset reset =
        new HonestReset(
            parts.pass().beganNanos() - beganNanos,
            head.timeoutNanos(fields),
            deadline.clientsRemainingNanos());
    if ((hasBegun() && !state.isOver())
        || reset.isFree()
        || parts.http2().trySpendPause(reset.freeAgeNanos())) {
      parts.http2().onHonestReset();
    }
    abort(Status.CANCELLED.withDescription("the client reset the call: " + code), code);
  }

  @Override
  public void onBroken(Violation.OfStream violation) {
    String words = "the client violated HTTP/2: " + violation.detail();
    abort(Status.CANCELLED.withDescription(words), violation.code());
  }

  /** Ends the call with a status of the library instead of the handler's. */
  void failOnLoop(Status status) {
    failOnLoop(status, new Metadata());
  }

  private void failOnLoop(Status status, Metadata metadata) {
    if (state == ResponseState.OPEN) {
      ServerCallEventListener traced = traced();
      if (traced != null) {
        traced.onEndGiven(status, metadata);
      }
      beginToFail(status);
      protocol().end(status, metadata, this);
      requireEnd(status);
    }
  }

  private void beginToFail(Status status) {
    boolean notified = state.isEngineNotified();
    state = state.onRefusal();
    reportEnd(notified, status);
    incoming.giveWholeWindowBack();
  }

  /**
   * Ends the call at once; the status replaces what was not sent yet. The call is reset if no
   * status can do that: part of a message was sent, or the status would be content as well.
   */
  private void endNow(Status status) {
    beginToFail(status);
    OvertakingEnd end =
        new OvertakingEnd(parts.http2(), stream, connection.encodings(), hasBegun());
    protocol().end(status, EmptyMetadata.SHARED, end);
    if (!end.isSent()) {
      abort(status, ErrorCode.CANCEL);
    }
  }

  /** Ends the call at once, without an answer. */
  void abort(Status status, ErrorCode code) {
    if (!state.isOver()) {
      boolean notified = state.isEngineNotified();
      state = state.onEnd();
      outgoing.stop();
      parts.deadlines().remove(this);
      reportEnd(notified, status); // first, because the next step may fail
      parts.http2().reset(stream, code);
      releaseSlot();
    }
  }

  /** A call whose engine was notified before does not receive any more. */
  private void reportEnd(boolean notified, Status status) {
    if (!notified) {
      add(CallEvent.Closed.atOnce(status)); // first, because the next step takes bytes from it
      incoming.end(Unread.HELD_BY_HANDLER);
    }
  }

  /**
   * A client that has set the deadline gets a status, too: its clock may be late, and gRPC's
   * clients in C++ and Python report a reset as {@code CANCELLED}.
   */
  @Override
  public void onDeadline() {
    if (deadline.endsAtOnce() && !mayEndNormally()) {
      endNow(deadline.lateStatus());
      return;
    }
    failOnLoop(deadline.lateStatus());
    deadline = deadline.withGrace();
    if (!state.isOver()) {
      parts.deadlines().add(this);
    }
  }

  /** Whether a status has nothing to overtake. */
  private boolean mayEndNormally() {
    return state == ResponseState.OPEN && stream.queuedBytes() == 0;
  }

  private void onHandlerEnded() {
    if (!handlerIsDone) {
      handlerIsDone = true;
      releaseSlot();
    }
  }

  /** A call takes a stream while it is open, and a slot until its handler has ended as well. */
  private void releaseSlot() {
    if (state == ResponseState.ENDED && !handlerIsDone) {
      connection.onStreamEnded();
    } else if (state == ResponseState.ENDED) {
      state = state.onHandlerGone();
      incoming.end(Unread.DROPPED);
      parts.calls().onCallGone(memoryBytes);
      if (requestWhole) {
        parts.calls().changeWhole(-memoryBytes);
      }
      connection.onCallEnded(stream);
    }
  }

  @Override
  public long deadlineNanos() {
    return deadline.isSet() ? deadline.endNanos() : DeadlineHeap.NEVER;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicReferenceFieldUpdater<ServerCallStream<?>, @Nullable ServerWriteCommand>
      updater() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(
            ServerCallStream.class, ServerWriteCommand.class, "openCommand");
  }
}
