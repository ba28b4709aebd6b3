package dev.gannet.transport.inprocess;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallParent;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.CarriedMetadata;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallMessages;
import dev.gannet.transport.CallStatuses;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.GuardedLog;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.settings.CallBounds;
import dev.gannet.transport.settings.ServerDeadline;
import java.lang.System.Logger;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The stream of a call that the server holds.
 *
 * <pre>
 *   WAITING ──it has a permit, or needs none──► SERVED
 *      └──its client ends it, it moves to another connection──► UNSERVED
 * </pre>
 *
 * <p>While it waits, it is AT WORK, so that commands of the client wait, too; {@code events} is set
 * from when it is served until its end. It is over when its client, its server and its handler have
 * ended, in any order and on any threads: {@code ended} is the set of them. A handler that goes on
 * after its call has ended keeps the call's permit, but not the connection open. The handler's
 * commands go directly to the {@link InProcessClientStream}.
 *
 * <p>If a handler closes the call on the thread that delivered the request to it, the end, and what
 * was not flushed before, is delivered after it has returned: so the client's listener does not
 * learn of the end inside the handler. What a handler flushes before is delivered at once.
 */
final class InProcessServerStream<Q, R> extends SerialDelivery implements ServerStream<R> {
  private static final Logger LOG = System.getLogger(InProcessServerStream.class.getName());

  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicIntegerFieldUpdater<InProcessServerStream> ENDED =
      AtomicIntegerFieldUpdater.newUpdater(InProcessServerStream.class, "ended");

  @SuppressWarnings("rawtypes") // as above
  private static final AtomicIntegerFieldUpdater<InProcessServerStream> UNREAD =
      AtomicIntegerFieldUpdater.newUpdater(InProcessServerStream.class, "unread");

  @SuppressWarnings("rawtypes") // as above
  private static final AtomicReferenceFieldUpdater<
          InProcessServerStream, CallEvent.@Nullable Handed>
      RESPONSE =
          AtomicReferenceFieldUpdater.newUpdater(
              InProcessServerStream.class, CallEvent.Handed.class, "response");

  /** Whether the server serves the call. */
  private enum Service {
    /** The connection limits the calls, and this one has no permit yet. */
    WAITING,
    /** The call has its permit until it is over, if the connection limits the calls. */
    SERVED,
    /** The call was never served, and never will be. */
    UNSERVED
  }

  // The parts of a call that end.
  private static final int CLIENT = 1;
  private static final int SERVER = 2;
  private static final int HANDLER = 4;
  private static final int BOTH_SIDES = CLIENT | SERVER;
  private static final int ALL = BOTH_SIDES | HANDLER;

  /**
   * Stands for each end with OK and without trailers. The client gets an event of its own in place
   * of it, if it needs one.
   */
  static final CallEvent.Closed OK = CallEvent.Closed.bare(Status.OK);

  private final InProcessClientStream<?, ?> client;
  private final ServerMethod<Q, R> method;

  /**
   * Set before the handler sees the call: the time in which it waits for a permit does not count.
   */
  private ServerDeadline deadline = ServerDeadline.NONE;

  /**
   * Used by the delivering thread; the handler's thread checks whether they are traced. Set before
   * it begins.
   */
  private @Nullable ServerCallEventListener events;

  /** Whether its single request has come; used by the delivering thread. */
  private boolean hasRequest;

  /** The response of a handler that has not returned yet; used by the thread that runs it. */
  private CallEvent.@Nullable Closed answer;

  /**
   * The thread that delivers events to the handler; other threads read it only to see that they are
   * not that thread.
   */
  private @Nullable Thread deliverer;

  // Used by the handler.
  private @Nullable Metadata headers;
  private volatile CallEvent.@Nullable Handed response;

  // Shared.
  private volatile Service service;
  private volatile int ended;
  private volatile int unread;

  InProcessServerStream(InProcessClientStream<?, ?> client, ServerMethod<Q, R> method) {
    this.client = client;
    this.method = method;
    this.service = client.inProcess().permits() == null ? Service.SERVED : Service.WAITING;
    enterFirst();
  }

  CallBounds limits() {
    return method.limits();
  }

  ServerMethod<Q, R> method() {
    return method;
  }

  /** Starts the call with what the client has sent so far, or lets it wait for a permit. */
  void begin(CallEvent.@Nullable Handed request, boolean last) {
    CallPermits permits = client.inProcess().permits();
    if (permits != null) {
      deliver(request, last); // waits as well
      permits.begin(this);
      return;
    }
    try {
      serve();
      onRequest(request, last);
    } finally {
      leave();
    }
    client.watch(deadline);
  }

  /** The call is going to wait for a permit; meanwhile, only the client's deadline can end it. */
  void onWaiting() {
    client.watch(CallTimer.deadline(client, CallBounds.DEFAULT));
  }

  /** The call has waited since then for a permit, and does not any more. */
  void onWaited(long sinceNanos) {
    client.onWaited(sinceNanos);
  }

  /** Whether it waits for a permit, or will. */
  boolean isWaiting() {
    return service == Service.WAITING;
  }

  boolean isClientOver() {
    return client.isOver();
  }

  /** Starts a call of a connection whose calls need permits. */
  void beginWithPermit() {
    try {
      service = Service.SERVED;
      if (client.isOver()) {
        onOver(ALL);
      } else {
        serve();
        flushEvents();
      }
    } finally {
      leave();
    }
    client.watch(deadline);
  }

  /** This may be the thread of another handler, whose call the server's code must not see. */
  private void serve() {
    if (CallParent.current().isPresent()) {
      CallContext.runDetached(this::serveHere);
    } else {
      serveHere();
    }
  }

  private void serveHere() {
    deadline = CallTimer.deadline(client, limits());
    ServerCallEventListener begun;
    try {
      begun = client.inProcess().tracing().begin(client.start(), method, this);
    } catch (Throwable e) { // not passed on: this may be the thread of another call
      GuardedLog.warn(LOG, "a call cannot be started", e);
      onOver(SERVER | HANDLER);
      Status why = Status.INTERNAL.withDescription("the call cannot be started").withCause(e);
      client.endBoth(client.carried(why), why);
      return;
    }
    events = begun;
    if (CallAdmission.of(begun) instanceof CallAdmission.Refused refused) {
      answer(refused.status(), CarriedMetadata.copy(refused.trailers()));
    }
  }

  /** Calls may use other connections, too: this one moves if it waits for a permit. */
  void spread(UnaryOperator<ClientCallEventListener> listeners) {
    client.spread(listeners);
  }

  /** The call is not served here, and never will be. */
  void leaveUnserved(Status why) {
    client.onNotCarried(why);
    abandon();
  }

  /** The call has ended, or has moved, before it started. */
  void abandon() {
    service = Service.UNSERVED;
    onOver(ALL);
    leave();
  }

  /** The client has sent a message, or half-closed, or both. On the caller's thread. */
  void deliver(CallEvent.@Nullable Handed request, boolean last) {
    if (!enter()) {
      execute(() -> onRequest(request, last));
      return;
    }
    try {
      onRequest(request, last);
    } finally {
      leave();
    }
  }

  private void onRequest(CallEvent.@Nullable Handed request, boolean last) {
    ServerCallEventListener to = events;
    if (to == null) {
      client.forwardLater(request, last);
      return;
    }
    if (request != null && !tryAddRequest()) {
      client.endBoth(CallStatuses.SECOND_REQUEST, CallStatuses.SECOND_REQUEST);
      return;
    }
    if (request != null) {
      to.add(request);
    }
    if (last && request == null) {
      to.add(new CallEvent.HalfClosed());
    }
    flushEvents();
  }

  /**
   * Counts a request; returns false if it is one too many, because the client streams, but the
   * server's method has a single request.
   */
  private boolean tryAddRequest() {
    if (!method.descriptor().type().clientSendsOneMessage()
        || client.start().method().type().clientSendsOneMessage()) {
      return true;
    }
    boolean first = !hasRequest;
    hasRequest = true;
    return first;
  }

  private void flushEvents() {
    ServerCallEventListener to = events;
    if (to == null) {
      return;
    }
    deliverer = Thread.currentThread();
    try {
      flush(to);
    } finally {
      deliverer = null;
      CallEvent.Closed answered = answer;
      if (answered != null) {
        answer = null;
        respond(answered);
        deliverEnd(Status.OK);
      }
    }
  }

  /** As for {@link #serve}: limits of calls are the server's code. */
  private static void flush(ServerCallEventListener to) {
    if (CallParent.current().isPresent()) {
      CallContext.runDetached(to::flush);
    } else {
      to.flush();
    }
  }

  private void respond(CallEvent.Closed answered) {
    onOver(SERVER | HANDLER);
    Metadata first = takeHeaders();
    CallEvent.Handed sent = takeResponse();
    ServerCallEventListener traced = traced();
    if (traced != null) {
      int bytes = messageBytes(sent);
      traced.onResponseSent(first, bytes, bytes);
    }
    client.respond(first, sent, answered);
  }

  /** Ends the call for the server. */
  void end(Status status) {
    onOver(SERVER);
    deliverEnd(status);
  }

  private void deliverEnd(Status status) {
    ServerCallEventListener to = events;
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

  /** The end was delivered to the client. */
  void onClientOver() {
    onOver(CLIENT);
  }

  private void onOver(int over) {
    int before = addEnded(over);
    int after = before | over;
    if (isReached(BOTH_SIDES, before, after)) {
      client.leaveConnection();
    }
    if (isReached(ALL, before, after) && service == Service.SERVED) {
      client.giveBackPermit();
    }
  }

  private static boolean isReached(int wanted, int before, int after) {
    return (before & wanted) != wanted && (after & wanted) == wanted;
  }

  /** Without a lambda, because each call runs this three times. */
  private int addEnded(int more) {
    int before;
    do {
      before = ended;
    } while (!ENDED.compareAndSet(this, before, before | more));
    return before;
  }

  @Override
  public String authority() {
    return client.authority();
  }

  @Override
  public Metadata headers() {
    return client.requestHeaders();
  }

  @Override
  public Optional<Deadline> deadline() {
    return deadline.deadline();
  }

  @Override
  public ConnectionInfo connection() {
    return client.inProcess().info();
  }

  @Override
  public MessageEncodings encodings() {
    return client.inProcess().served().encodings();
  }

  /** Messages without bytes are not compressed. */
  @Override
  public boolean accepts(MessageEncoding encoding) {
    return encoding == MessageEncoding.IDENTITY;
  }

  @Override
  public void sendHeaders(Metadata headers, MessageEncoding encoding) {
    this.headers = CarriedMetadata.copy(headers);
  }

  @Override
  public int send(R message, MessageEncoding encoding, boolean compressed, Flush flush) {
    CallEvent.Handed sent =
        MessageHandOver.convert(
            message,
            CallEvent.Following.MORE,
            method.descriptor().responseMarshaller(),
            client.start().method().responseMarshaller(),
            client.inProcess().writesMessages());
    MessageHandOver.check(
        sent, limits().maxOutboundMessageBytes(), MessageSizeLimit.OF_SENT_RESPONSES);
    CallMessages accepted = client.start().messages();
    try {
      MessageHandOver.check(sent, accepted.maxInboundBytes(), accepted.inboundLimit());
    } catch (StatusException e) { // the client's own failure: the handler has done nothing wrong
      client.refuseResponse(e.status());
      return 0;
    }
    if (countsUnread()) {
      UNREAD.incrementAndGet(this);
    }
    int bytes = sent.wireBytes();
    RESPONSE.lazySet(this, sent);
    if (flush == Flush.NOW) {
      flush();
    }
    return bytes;
  }

  private @Nullable Metadata takeHeaders() {
    Metadata taken = headers;
    headers = null;
    return taken;
  }

  /** The listener of a traced call; otherwise null. */
  private @Nullable ServerCallEventListener traced() {
    ServerCallEventListener to = events;
    return to != null && to.isTraced() ? to : null;
  }

  /** Notifies tracers, if there are any, of what is sent to the client next. */
  private void traceSent(@Nullable Metadata first, CallEvent.@Nullable Handed sent) {
    ServerCallEventListener traced = traced();
    if (traced == null) {
      return;
    }
    int bytes = messageBytes(sent);
    if (isOnLoop()) {
      traced.onResponseSent(first, bytes, bytes); // this is the delivering thread
    } else {
      execute(() -> traced.onResponseSent(first, bytes, bytes));
    }
  }

  /** The size of a message for tracers; before it is taken. */
  private static int messageBytes(CallEvent.@Nullable Handed sent) {
    return sent == null ? ServerCallEventListener.NO_MESSAGE : sent.messageBytes();
  }

  /** A call may be closed because of an exception of one thread while another one sends. */
  private CallEvent.@Nullable Handed takeResponse() {
    return response == null ? null : RESPONSE.getAndSet(this, null);
  }

  @Override
  public void flush() {
    Metadata first = takeHeaders();
    CallEvent.Handed sent = takeResponse();
    if (first == null && sent == null) {
      return;
    }
    traceSent(first, sent);
    client.respond(first, sent, null);
  }

  @Override
  public void close(Status status, Metadata trailers) {
    CallEvent.Closed closed = closed(status, trailers);
    ServerCallEventListener traced = traced();
    if (traced != null) {
      traced.onEndGiven(closed.status(), ofTracers(closed.trailers()));
    }
    if (isOnLoop()) {
      answer = closed;
    } else {
      onOver(SERVER | HANDLER);
      Metadata first = takeHeaders();
      CallEvent.Handed sent = takeResponse();
      traceSent(first, sent);
      client.respond(first, sent, closed);
      execute(() -> deliverEnd(Status.OK));
    }
  }

  private CallEvent.Closed closed(Status status, Metadata trailers) {
    Status carried = client.carried(status);
    if (carried.equals(Status.OK) && trailers.isEmpty()) {
      return OK;
    }
    return trailers.isEmpty()
        ? CallEvent.Closed.bare(carried)
        : CallEvent.Closed.received(carried, CarriedMetadata.copy(trailers));
  }

  /** The client may change what it receives before the server's tracers are told of the end. */
  private static Metadata ofTracers(Metadata trailers) {
    return trailers.copy();
  }

  @Override
  public void fail(Status status, Metadata trailers) {
    execute(() -> {
      if (events != null) {
        answer(status, CarriedMetadata.copy(trailers));
      }
    });
  }

  /** Ends the call with an answer that does not come from its handler. */
  private void answer(Status status, Metadata trailers) {
    ServerCallEventListener traced = traced();
    if (traced != null) {
      traced.onEndGiven(status, ofTracers(trailers));
    }
    client.respond(null, null, CallEvent.Closed.received(client.carried(status), trailers));
    end(status);
  }

  @Override
  public void cancel(Status status) {
    client.endBoth(status, status);
  }

  @Override
  public boolean isReady() {
    return (ended & BOTH_SIDES) == 0 && unread < InProcessClientStream.MAX_UNREAD;
  }

  /** The client has taken a response. */
  void onResponseTaken() {
    if (countsUnread() && UNREAD.getAndDecrement(this) == InProcessClientStream.MAX_UNREAD) {
      execute(this::deliverReady);
    }
  }

  /** The client will never take a response, because its call has ended before it came. */
  void onResponseDropped() {
    if (countsUnread()) {
      UNREAD.decrementAndGet(this);
    }
  }

  private boolean countsUnread() {
    return !method.descriptor().type().serverSendsOneMessage();
  }

  /** Whether the client has not taken all messages of a stream. */
  boolean isResponseUnread() {
    return unread > 0;
  }

  private void deliverReady() {
    ServerCallEventListener to = events;
    if (to != null) {
      to.add(new CallEvent.Ready());
      flushEvents();
    }
  }

  /** Whether this thread delivers events to the handler: it would wait for itself. */
  @Override
  public boolean isOnLoop() {
    return Thread.currentThread().equals(deliverer);
  }

  /** There is no loop: a call runs on the threads of those who act on it. */
  @Override
  public void runOnLoop(Runnable task) {
    task.run();
  }

  @Override
  public void inTurn(Runnable task) {
    execute(() -> {
      if (CallParent.current().isPresent()) {
        CallContext.runDetached(task);
      } else {
        task.run();
      }
      flushEvents();
    });
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
