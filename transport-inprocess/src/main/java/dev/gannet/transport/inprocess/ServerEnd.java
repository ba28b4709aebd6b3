package dev.gannet.transport.inprocess;

import dev.gannet.api.Deadline;
import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.CarriedMetadata;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallEvents;
import dev.gannet.transport.CallLimits;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of a call.
 *
 * <pre>
 *   WAITING (for a permit) ──► BEGUN ──close, fail, cancel──► OVER
 *      └──the connection goes away──► UNSERVED ─────────────────▲
 * </pre>
 *
 * <p>While it waits, its inlet is at work, so that what the client orders waits too; {@code events}
 * are there while it is BEGUN. The handler's orders go straight to the {@link ClientEnd}.
 *
 * <p>A handler that answers while it runs on the thread that told it of the request has its answer
 * told when it has returned: so the client's listener runs beside it and not on top of it.
 */
final class ServerEnd<Q, R> extends Inlet implements ServerStream<R> {
  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicIntegerFieldUpdater<ServerEnd> PARTS =
      AtomicIntegerFieldUpdater.newUpdater(ServerEnd.class, "parts");

  @SuppressWarnings("rawtypes") // likewise
  private static final AtomicIntegerFieldUpdater<ServerEnd> UNREAD =
      AtomicIntegerFieldUpdater.newUpdater(ServerEnd.class, "unread");

  @SuppressWarnings("rawtypes") // likewise
  private static final AtomicReferenceFieldUpdater<ServerEnd, CallEvent.@Nullable Message>
      RESPONSE =
          AtomicReferenceFieldUpdater.newUpdater(
              ServerEnd.class, CallEvent.Message.class, "response");

  // What is over of the call, and whether it was served.
  private static final int CLIENT = 1;
  private static final int SERVER = 2;
  private static final int HANDLER = 4;
  private static final int ALL = CLIENT | SERVER | HANDLER;
  private static final int SERVED = 8;
  private static final int HAS_REQUEST = 16;

  private final ClientEnd<?, ?> client;
  private final ServerMethod<Q, R> method;
  private final Optional<Deadline> deadline;

  /** The inlet's; the handler's thread asks whether they are traced. Set before it begins. */
  private @Nullable CallEvents events;

  /** The answer of a handler that has not returned yet; of the thread that runs it. */
  private CallEvent.@Nullable Closed answer;

  /** Who tells the handler of events; others learn no more than that it is not them. */
  private @Nullable Thread teller;

  // The handler's.
  private @Nullable Metadata headers;
  private volatile CallEvent.@Nullable Message response;

  // Shared.
  private volatile int parts;
  private volatile int unread;

  ServerEnd(ClientEnd<?, ?> client, ServerMethod<Q, R> method, Optional<Deadline> deadline) {
    this.client = client;
    this.method = method;
    this.deadline = deadline;
    enterFirst();
  }

  CallLimits limits() {
    return method.limits();
  }

  Marshaller<Q> requestMarshaller() {
    return method.descriptor().requestMarshaller();
  }

  /** Begins the call with what the client has ordered until now, or has it wait for a permit. */
  void begin(CallEvent.@Nullable Message request, boolean last) {
    CallPermits permits = client.inProcess().permits();
    if (permits != null) {
      deliver(request, last); // waits as this does
      permits.begin(this);
      return;
    }
    try {
      serve();
      onRequest(request, last);
    } finally {
      leave();
    }
  }

  /** Begins a call that has waited. */
  void beginWithPermit() {
    try {
      PARTS.updateAndGet(this, before -> before | SERVED);
      if (client.isOver()) {
        onOver(ALL);
      } else {
        serve();
        tell();
      }
    } finally {
      leave();
    }
  }

  private void serve() {
    try {
      events = client.inProcess().tracing().begin(client.start(), method, this);
    } catch (RuntimeException | Error e) {
      onOver(SERVER | HANDLER);
      Status why = Status.INTERNAL.withDescription("the call cannot be started").withCause(e);
      client.endBoth(client.carried(why), why);
      throw e;
    }
  }

  /** Nobody serves the call here, and nobody will. */
  void leaveUnserved(Status why) {
    client.moveWaiting(why);
    abandon();
  }

  /** The call has ended before it began. */
  void abandon() {
    onOver(ALL);
    leave();
  }

  /** The client has sent a message, or ended its side, or both. On the caller's thread. */
  void deliver(CallEvent.@Nullable Message request, boolean last) {
    if (!enter()) {
      put(() -> onRequest(request, last));
      return;
    }
    try {
      onRequest(request, last);
    } finally {
      leave();
    }
  }

  private void onRequest(CallEvent.@Nullable Message request, boolean last) {
    CallEvents to = events;
    if (to == null) {
      client.forwardLater(request, last);
      return;
    }
    if (request != null && isOneTooMany()) {
      Status many = Status.UNIMPLEMENTED.withDescription("more than one request message");
      client.endBoth(many, many);
      return;
    }
    if (request != null) {
      to.add(request);
    }
    if (last) {
      to.add(new CallEvent.HalfClosed());
    }
    tell();
  }

  /** Where the client streams, and the server wants one message. */
  private boolean isOneTooMany() {
    if (!method.descriptor().type().clientSendsOneMessage()
        || client.start().method().type().clientSendsOneMessage()) {
      return false;
    }
    return (PARTS.getAndUpdate(this, before -> before | HAS_REQUEST) & HAS_REQUEST) != 0;
  }

  private void tell() {
    CallEvents to = events;
    if (to == null) {
      return;
    }
    teller = Thread.currentThread();
    try {
      to.flush();
    } finally {
      teller = null;
      CallEvent.Closed answered = answer;
      if (answered != null) {
        answer = null;
        respond(answered);
        tellEnd(Status.OK);
      }
    }
  }

  private void respond(CallEvent.Closed answered) {
    onOver(SERVER | HANDLER);
    Metadata first = takeHeaders();
    CallEvent.Message sent = takeResponse();
    if (events instanceof TracedEvents traced) {
      traced.onSent(first, sent);
    }
    respondBelow(first, sent, answered);
  }

  /** The client may be told on this thread, on which it may have begun the call. */
  private void respondBelow(
      @Nullable Metadata first,
      CallEvent.@Nullable Message sent,
      CallEvent.@Nullable Closed answered) {
    Nesting nesting = Nesting.ofThread();
    if (!nesting.enter()) {
      client.inProcess().scheduler().offload(() -> client.respond(first, sent, answered));
      return;
    }
    try {
      client.respond(first, sent, answered);
    } finally {
      nesting.leave();
    }
  }

  /** Ends the call for the server. */
  void end(Status status) {
    onOver(SERVER);
    tellEnd(status);
  }

  private void tellEnd(Status status) {
    CallEvents to = events;
    if (to != null) {
      events = null;
      if (status.isOk()) {
        to.addAnswered();
      } else {
        to.add(CallEvent.Closed.atOnce(status));
      }
      to.flush();
    }
  }

  /** The client has heard of the end. */
  void onClientOver() {
    onOver(CLIENT);
  }

  private void onOver(int over) {
    int before = PARTS.getAndUpdate(this, now -> now | over);
    if ((before & ALL) != ALL && ((before | over) & ALL) == ALL) {
      client.leave((before & SERVED) != 0);
    }
  }

  @Override
  public String authority() {
    return client.start().authority();
  }

  @Override
  public Metadata headers() {
    return client.requestHeaders();
  }

  @Override
  public Optional<Deadline> deadline() {
    return deadline;
  }

  @Override
  public ConnectionInfo connection() {
    return client.inProcess().info();
  }

  @Override
  public MessageEncodings encodings() {
    return client.inProcess().served().encodings();
  }

  /** Nothing is compressed that has no bytes. */
  @Override
  public boolean accepts(MessageEncoding encoding) {
    return encoding == MessageEncoding.IDENTITY;
  }

  @Override
  public void sendHeaders(Metadata headers, MessageEncoding encoding) {
    this.headers = CarriedMetadata.copy(headers);
  }

  @Override
  public int send(R message, MessageEncoding encoding, boolean compressed) {
    if (response != null) {
      flush();
    }
    CallEvent.Message sent =
        Messages.handOver(
            message,
            method.descriptor().responseMarshaller(),
            client.start().method().responseMarshaller(),
            client.inProcess().writesMessages(),
            limits().maxOutboundMessageBytes());
    try {
      Messages.checkTaken(sent, client.start().maxInboundMessageBytes());
    } catch (StatusException e) { // the client's own failure: the handler has done nothing wrong
      client.refuseResponse(e.status());
      return 0;
    }
    if (!method.descriptor().type().serverSendsOneMessage()) {
      UNREAD.incrementAndGet(this);
    }
    int bytes = sent.wireBytes();
    RESPONSE.lazySet(this, sent);
    return bytes;
  }

  private @Nullable Metadata takeHeaders() {
    Metadata taken = headers;
    headers = null;
    return taken;
  }

  /** Tells tracers, if there are any, of what goes to the client next. */
  private void traceSent(@Nullable Metadata first, CallEvent.@Nullable Message sent) {
    if (!(events instanceof TracedEvents traced)) {
      return;
    }
    if (isOnLoop()) {
      traced.onSent(first, sent); // this is the inlet's worker
      return;
    }
    int bytes = sent == null ? TracedEvents.NO_MESSAGE : sent.messageBytes(); // before it is taken
    put(() -> traced.onSent(first, bytes));
  }

  /** A call may be closed for what one thread throws while another sends. */
  private CallEvent.@Nullable Message takeResponse() {
    return response == null ? null : RESPONSE.getAndSet(this, null);
  }

  @Override
  public void flush() {
    Metadata first = takeHeaders();
    CallEvent.Message sent = takeResponse();
    if (first == null && sent == null) {
      return;
    }
    traceSent(first, sent);
    if (isOnLoop()) {
      respondBelow(first, sent, null);
    } else {
      client.respond(first, sent, null);
    }
  }

  @Override
  public void close(Status status, Metadata trailers) {
    CallEvent.Closed closed =
        new CallEvent.Closed(client.carried(status), CarriedMetadata.copy(trailers));
    if (events instanceof TracedEvents traced) {
      traced.onEndGiven(closed.status(), closed.trailers());
    }
    if (isOnLoop()) {
      answer = closed;
    } else {
      onOver(SERVER | HANDLER);
      Metadata first = takeHeaders();
      CallEvent.Message sent = takeResponse();
      traceSent(first, sent);
      client.respond(first, sent, closed);
      put(() -> tellEnd(Status.OK));
    }
  }

  @Override
  public void fail(Status status, Metadata trailers) {
    put(() -> {
      if (events != null) {
        Metadata copy = CarriedMetadata.copy(trailers);
        if (events instanceof TracedEvents traced) {
          traced.onEndGiven(status, copy);
        }
        client.respond(null, null, new CallEvent.Closed(client.carried(status), copy));
        end(status);
      }
    });
  }

  @Override
  public void cancel(Status status) {
    client.endBoth(status, status);
  }

  @Override
  public boolean isReady() {
    return (parts & (CLIENT | SERVER)) == 0 && unread < ClientEnd.MOST_UNREAD;
  }

  /** The client has taken a response. */
  void onResponseTaken() {
    if (!method.descriptor().type().serverSendsOneMessage()
        && UNREAD.getAndDecrement(this) == ClientEnd.MOST_UNREAD) {
      put(this::tellReady);
    }
  }

  private void tellReady() {
    CallEvents to = events;
    if (to != null) {
      to.add(new CallEvent.Ready());
      tell();
    }
  }

  /** Whether this thread tells the handler of events: it would wait for itself. */
  @Override
  public boolean isOnLoop() {
    return Thread.currentThread().equals(teller);
  }

  @Override
  public void consumed(int heldBytes) {
    client.onRequestTaken();
  }

  @Override
  public void requested() {}

  @Override
  public void handlerEnded() {
    onOver(HANDLER);
  }
}
