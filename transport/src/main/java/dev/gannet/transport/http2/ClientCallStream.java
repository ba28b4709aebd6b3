package dev.gannet.transport.http2;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.RequestFields;
import dev.gannet.protocol.ResponseHead;
import dev.gannet.protocol.StatusMapping;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallEvents;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One call of a client on an HTTP/2 connection.
 *
 * <pre>
 *   NEW ──first parcel──► WAITING (no stream free) ──► OPEN ──► ENDED
 *    └─────────────── cancel, deadline, connection lost ─────────▲
 * </pre>
 *
 * <p>Orders come on the caller's thread and travel as parcels; everything else happens on the
 * connection's loop.
 */
final class ClientCallStream<Q, R> implements ClientStream<Q>, CallStream, Timed {
  private enum State {
    NEW,
    WAITING,
    OPEN,
    ENDED
  }

  private final ClientConnection connection;
  private final ConnectionLoop loop;
  private final CallStart<Q, R> start;
  private final TouchedCall call;
  private final OutgoingMessages<Q> outgoing;
  private final IncomingMessages incoming;

  // The caller's.
  private @Nullable ClientParcel parcel;
  private boolean begun;

  // The loop's.
  private State state = State.NEW;
  private @Nullable ArrayDeque<ClientParcel> waiting;
  private @Nullable Http2Stream stream;
  private boolean endedByServer;
  private int heapIndex = DeadlineHeap.OUTSIDE;

  ClientCallStream(
      ClientConnection connection, ConnectionLoop loop, CallStart<Q, R> start, CallEvents events) {
    this.connection = connection;
    this.loop = loop;
    this.start = start;
    this.call = new TouchedCall(loop);
    this.call.leadTo(events);
    this.outgoing = new OutgoingMessages<>(start.method().requestMarshaller(), loop);
    this.incoming = new IncomingMessages(start.method().responseMarshaller(), call, loop);
  }

  @Override
  public void send(Q message, boolean compressed) {
    MessageEncoding encoding = compressed ? start.encoding() : MessageEncoding.IDENTITY;
    current().add(outgoing.frame(message, encoding, start.maxOutboundMessageBytes()));
  }

  @Override
  public void halfClose() {
    current().halfClose();
  }

  @Override
  public void flush() {
    if (parcel != null || !begun) {
      begun = true;
      ClientParcel full = current();
      parcel = null;
      loop.post(full);
    }
  }

  private ClientParcel current() {
    ClientParcel open = parcel;
    if (open == null) {
      open = new ClientParcel(this);
      parcel = open;
    }
    return open;
  }

  @Override
  public void cancel(Status status) {
    loop.post(new StreamMail(() -> onCancel(status)));
  }

  /** The server's own end may still wait behind messages that nobody reads: this one overtakes. */
  private void onCancel(Status status) {
    if (endedByServer) {
      endedByServer = false;
      incoming.drop();
      call.add(CallEvent.Closed.atOnce(status));
    } else {
      abort(status, ErrorCode.CANCEL);
    }
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

  /** Takes what the caller ordered; the first parcel begins the call. */
  void onParcel(ClientParcel parcel) {
    switch (state) {
      case NEW -> begin(parcel);
      case WAITING -> waiting().add(parcel);
      case OPEN -> write(parcel);
      case ENDED -> {} // cancelled meanwhile
    }
  }

  private void begin(ClientParcel parcel) {
    Optional<Status> refusal = connection.refusal();
    if (refusal.isPresent()) {
      abort(refusal.get(), ErrorCode.CANCEL);
      return;
    }
    start.deadline().ifPresent(deadline -> loop.watch(this));
    if (loop.connection().canOpenStream()) {
      openStream();
      write(parcel);
    } else {
      waiting().add(parcel);
      state = State.WAITING;
      outgoing.awaitStream();
      connection.waitForStream(this);
    }
  }

  private ArrayDeque<ClientParcel> waiting() {
    ArrayDeque<ClientParcel> parcels = waiting;
    if (parcels == null) {
      parcels = new ArrayDeque<>();
      waiting = parcels;
    }
    return parcels;
  }

  /** The stream that was waited for: all that was ordered meanwhile goes to the wire. */
  void onStreamFree() {
    ArrayDeque<ClientParcel> parcels = waiting();
    waiting = null;
    outgoing.onStream();
    openStream();
    parcels.forEach(this::write);
  }

  /** Begins the call on the wire. */
  private void openStream() {
    state = State.OPEN;
    HeaderList shared = connection.sharedFields(start);
    HeaderList own =
        start.deadline().isPresent()
            ? RequestFields.own(start.headers(), start.deadline().get().remainingNanos())
            : RequestFields.own(start.headers());
    Http2Stream opened = openStream(shared, own);
    opened.attach(this);
    stream = opened;
    outgoing.standingBytes(opened);
    if (outgoing.isReadyNow()) {
      onReady();
    }
  }

  /**
   * Where there is no memory for the headers, the connection is lost: nobody else ends the call.
   */
  private Http2Stream openStream(HeaderList shared, HeaderList own) {
    try {
      return loop.connection().openStream(shared, own, EndStream.NO);
    } catch (RuntimeException | Error e) {
      abort(
          Status.UNAVAILABLE.withDescription("the call's begin cannot be written").withCause(e),
          ErrorCode.CANCEL);
      throw e;
    }
  }

  private void write(ClientParcel parcel) {
    Http2Stream to = stream;
    if (to == null) {
      return;
    }
    ByteBuffer first = parcel.first();
    if (first != null) {
      boolean only = parcel.more().isEmpty();
      loop.connection().sendData(to, first, only ? parcel.end() : EndStream.NO);
    }
    for (ByteBuffer frame : parcel.more()) {
      loop.connection().sendData(to, frame, EndStream.NO);
    }
    boolean ended = first != null && parcel.more().isEmpty();
    if (parcel.end() == EndStream.YES && !ended) {
      loop.connection().sendData(to, ByteBuffer.allocate(0), EndStream.YES);
    }
  }

  void onHeaders(HeaderList fields, EndStream end) {
    ResponseHead head = ResponseHead.of(fields);
    if (end == EndStream.YES) {
      onTrailers(head);
    } else {
      onFirstHeaders(head);
    }
  }

  private void onFirstHeaders(ResponseHead head) {
    Optional<Status> fault = head.headersFault();
    Optional<MessageEncoding> encoding = MessageEncoding.of(head.encoding());
    if (fault.isPresent()) {
      abort(head.hasStatus() ? head.endStatus() : fault.get(), ErrorCode.CANCEL);
    } else if (encoding.isEmpty()) {
      abort(
          Status.INTERNAL.withDescription("the answer has an encoding that nobody offered"),
          ErrorCode.CANCEL);
    } else {
      incoming.expect(encoding.get(), start.maxInboundMessageBytes());
      call.add(new CallEvent.Headers(head.metadata()));
    }
  }

  private void onTrailers(ResponseHead head) {
    Status status = head.endStatus();
    Optional<Status> torn = status.isOk() ? incoming.onEnd() : Optional.empty();
    end(new CallEvent.Closed(torn.orElse(status), head.metadata()), ErrorCode.NO_ERROR);
  }

  void onOversizedHeaders() {
    abort(
        Status.RESOURCE_EXHAUSTED.withDescription(
            "the answer's header list is over the limit of this client"),
        ErrorCode.CANCEL);
  }

  void onData(ByteBuffer bytes) {
    if (stream != null && state == State.OPEN) {
      incoming.onData(stream, bytes).ifPresent(fault -> abort(fault, ErrorCode.CANCEL));
    }
  }

  void onEndStream() {
    Status torn = Status.INTERNAL.withDescription("the answer ended without trailers");
    Status status = incoming.onEnd().orElse(torn);
    end(new CallEvent.Closed(status, new Metadata()), ErrorCode.CANCEL);
  }

  void onSent(int bytes) {
    if (outgoing.onSent(bytes)) {
      onReady();
    }
  }

  @Override
  public OutgoingMessages<?> outgoing() {
    return outgoing;
  }

  @Override
  public IncomingMessages incoming() {
    return incoming;
  }

  @Override
  public void onReady() {
    if (state == State.OPEN) {
      call.add(new CallEvent.Ready());
    }
  }

  @Override
  public void giveUp(Status why) {
    abort(why, ErrorCode.CANCEL);
  }

  void onReset(ErrorCode code) {
    boolean late = start.deadline().isPresent() && start.deadline().get().isExpired();
    Status status =
        code == ErrorCode.CANCEL && late ? deadlineExceeded() : StatusMapping.ofReset(code);
    abort(status, code);
  }

  /** The server broke a rule of HTTP on the call's stream, which is reset by now. */
  void onBroken(Violation.OfStream violation) {
    String words = "the server broke HTTP/2: " + violation.detail();
    abort(Status.INTERNAL.withDescription(words), violation.code());
  }

  /**
   * Ends the call at once; the server is told with that code, if its side of the call is still
   * open.
   */
  void abort(Status status, ErrorCode code) {
    end(CallEvent.Closed.atOnce(status), code);
  }

  @Override
  public void onDeadline() {
    abort(deadlineExceeded(), ErrorCode.CANCEL);
  }

  private Status deadlineExceeded() {
    String where =
        state == State.WAITING ? "waiting for a free stream" : "waiting for the answer of";
    return Status.DEADLINE_EXCEEDED.withDescription(
        "deadline exceeded, " + where + " " + loop.info().remoteAddress());
  }

  private void end(CallEvent.Closed closed, ErrorCode code) {
    if (state == State.ENDED) {
      return;
    }
    if (state == State.WAITING) {
      connection.stopWaiting(this);
    }
    state = State.ENDED;
    endedByServer = closed.order() == CallEvent.Order.BEHIND_MESSAGES;
    if (endedByServer) {
      incoming.stop();
    } else {
      incoming.drop();
    }
    outgoing.stop();
    waiting = null;
    loop.unwatch(this);
    call.add(closed); // first, as the next may fail
    if (stream != null) {
      loop.connection().reset(stream, code);
    }
    connection.onCallEnded();
  }

  @Override
  public long deadlineNanos() {
    return start.deadline().isPresent() ? start.deadline().get().atNanos() : DeadlineHeap.NEVER;
  }

  @Override
  public int heapIndex() {
    return heapIndex;
  }

  @Override
  public void setHeapIndex(int index) {
    heapIndex = index;
  }
}
