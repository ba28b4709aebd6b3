package dev.gannet.client;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallInbox;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientCallEvents;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.Onward;
import dev.gannet.transport.Unseen;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call in the client's engine: between the caller and the stream that carries it.
 *
 * <pre>
 *                      ┌───────unseen by its server──────┐
 *                      ▼                                 │
 *   NEW ──start──► WAITING (for a connection) ──startOn──► STARTED ──► CLOSED
 *    │                └──── cancel, deadline, no connection ───────────▲
 *    └──cancel──► CANCELLED EARLY ───────────────start─────────────────┘
 * </pre>
 *
 * <p>Orders given while WAITING are kept in {@link HeldOrders} and played to the stream when there
 * is one. What the caller sends goes to the call's first stream for good: if that has moved, it
 * passes it on. Orders and events may meet on different threads; what the listener sees goes
 * through the inbox, one event at a time.
 */
final class OutgoingCall<Q, R> implements ClientCall<Q, R>, ClientCallEvents, CallInbox.Receiver {
  private static final Logger LOG = System.getLogger(OutgoingCall.class.getName());

  private static final AtomicReferenceFieldUpdater<OutgoingCall<?, ?>, @Nullable Object> BEGINNING =
      updater();
  private static final AtomicIntegerFieldUpdater<OutgoingCall<?, ?>> GATE = gateUpdater();

  /** Of {@link #gate}: the channel has let the call in, and knows of its end only then. */
  private static final int ADMITTED = 1;

  private static final int ENDED = 2;

  /** A server that takes connections and no calls shall not have us try for ever. */
  private static final int MOST_MOVES = 16;

  private final ChannelSettings settings;
  private final Subchannel subchannel;
  private final MethodDescriptor<Q, R> method;
  private final CallOptions options;
  private Optional<CallContext> servedAtFirst = CallContext.current();
  private final CallInbox inbox;
  private final HeldOrders<Q> orders = new HeldOrders<>();

  /** The way to the stream that carries the call by now; at first that of {@link #orders}. */
  private volatile HeldOrders<Q> route = orders;

  private int moves;
  private boolean refused;

  private @Nullable Listener<? super R> listener;
  private @Nullable DeadlineTimer timer;

  /** Null at first, then a {@link CallStart}, or the {@link Status} that came before it. */
  private volatile @Nullable Object beginning;

  private boolean messageCompression = true;
  private boolean requested;
  private boolean halfClosed;
  private volatile boolean slow;

  @SuppressWarnings("UnusedVariable") // by its updater alone
  private volatile int gate;

  private volatile CallContext.@Nullable Registration served;
  private volatile boolean ended;
  private volatile boolean responseCompressed;

  // The inbox's.
  private int responses;
  private @Nullable Status fault;
  private volatile boolean endHeld;
  private boolean endTold;

  OutgoingCall(
      ChannelSettings settings,
      Subchannel subchannel,
      MethodDescriptor<Q, R> method,
      CallOptions options) {
    this.settings = settings;
    this.subchannel = subchannel;
    this.method = method;
    this.options = options;
    Executor executor = options.executor().orElse(settings.executor());
    this.inbox = new CallInbox(executor, this);
  }

  @Override
  public void start(Listener<? super R> listener, Metadata headers) {
    Objects.requireNonNull(headers, "headers");
    if (this.listener != null) {
      throw new IllegalStateException("the call was started before");
    }
    this.listener = Objects.requireNonNull(listener, "listener");
    Optional<Metadata> more = options.metadata();
    if (more.isPresent()) {
      headers.merge(more.get());
    }
    CallStart<Q, R> start = CallStarts.of(settings, method, options, headers, servedCall());
    if (start.deadline().isPresent()) {
      timer = new DeadlineTimer(settings.pipes(), start.deadline().get(), this::onDeadline);
    }
    Optional<Status> obstacle = obstacle(start);
    if (obstacle.isEmpty()) {
      obstacle = subchannel.admit();
    }
    if (obstacle.isPresent()) {
      failBeforeStart(obstacle.get());
      return;
    }
    if (GATE.addAndGet(this, ADMITTED) == ADMITTED + ENDED) {
      subchannel.onCallEnded(); // cancelled meanwhile
      return;
    }
    try {
      endWithServedCall();
      if (!ended) {
        begin();
      }
    } catch (RuntimeException | Error e) {
      cancelWith(Status.INTERNAL.withDescription("the call cannot begin").withCause(e));
      throw e;
    }
  }

  /** What ends the call as soon as it begins. */
  private Optional<Status> obstacle(CallStart<Q, R> start) {
    if (!BEGINNING.compareAndSet(this, null, start)) {
      return Optional.of((Status) Objects.requireNonNull(beginning));
    }
    boolean late = start.deadline().isPresent() && start.deadline().get().isExpired();
    return late
        ? Optional.of(
            Status.DEADLINE_EXCEEDED.withDescription("the deadline had passed before the start"))
        : Optional.empty();
  }

  /** Interceptors may start a call on a thread of their own. */
  private Optional<CallContext> servedCall() {
    Optional<CallContext> current = CallContext.current();
    return current.isPresent() || CallContext.isDetached() ? current : servedAtFirst;
  }

  /** Nobody will wait for the answer when nobody waits for that of the call it is made for. */
  private void endWithServedCall() {
    Optional<CallContext> current = servedCall();
    servedAtFirst = Optional.empty(); // its memory is not this call's to keep
    if (current.isPresent()) {
      CallContext.Registration registration =
          current.get().onCancelled(this::onServedCallCancelled);
      served = registration;
      if (ended) {
        registration.close();
      }
    }
  }

  private void onServedCallCancelled() {
    Optional<Deadline> deadline = asStarted().deadline();
    boolean late = deadline.isPresent() && deadline.get().isExpired(); // as that of the other is
    cancelWith(
        late
            ? late("with that of the call that this one was made for")
            : Status.CANCELLED.withDescription(
                "the call that this one was made for was cancelled"));
  }

  private void begin() {
    if (!method.type().clientSendsOneMessage()) {
      orders.flush(); // ahead of the pick: once the listener knows that it is ready, it may send
    }
    subchannel.pick(this);
    if (timer != null && !orders.isLedOn()) {
      timer.start();
    }
    if (method.type().clientSendsOneMessage() && !ended) {
      subchannel.addUnsent(this);
    }
  }

  boolean hasDeadline() {
    return timer != null;
  }

  /** Whether its only request is still to be sent. Any thread; what it sees may be a bit old. */
  boolean isUnsent() {
    return !halfClosed && !ended;
  }

  /** {@link UnsentCalls} keeps it apart, for its request was not sent when somebody looked. */
  void markSlow() {
    slow = true;
  }

  boolean isSlow() {
    return slow;
  }

  /**
   * Its request is long in coming, and no stream watches the deadline before. Any thread, which
   * must not suffer for it.
   */
  void watchWhileUnsent() {
    if (timer != null) {
      timer.startOrPass();
    }
    subchannel.endIfClosed(this);
  }

  /** Whether nobody needs a connection for it any more. Any thread. */
  boolean hasEnded() {
    return ended;
  }

  boolean waitsForReady() {
    return options.waitForReady();
  }

  /** There is a connection: what was ordered so far goes to it. */
  void startOn(ClientTransport transport) {
    ClientStream<Q> stream;
    try {
      stream = transport.open(asStarted(), this);
    } catch (Throwable e) {
      failBeforeStart(Status.INTERNAL.withDescription("the call cannot begin").withCause(e));
      return;
    }
    boolean led;
    try {
      led = route.leadTo(stream);
    } catch (StatusException e) {
      stream.cancel(e.status());
      return;
    } catch (Throwable e) {
      stream.cancel(Status.INTERNAL.withDescription("the call cannot begin").withCause(e));
      return;
    }
    if (led) {
      stream.requested(); // who asked until now could not tell it
    }
    if (led && !method.type().clientSendsOneMessage()) {
      inbox.add(new CallEvent.Ready());
      flush();
    }
  }

  @SuppressWarnings("unchecked") // no start of another type comes in, and no other call is picked
  private CallStart<Q, R> asStarted() {
    return (CallStart<Q, R>) Objects.requireNonNull(beginning);
  }

  /** There will be no connection for the call; false if it has one, or has ended. */
  boolean failBeforeStart(Status status) {
    boolean waited = route.drop();
    if (waited) {
      add(CallEvent.Closed.atOnce(status));
      flush();
    }
    return waited;
  }

  /** The deadline passed, and it may be that no stream has seen to it. */
  private void onDeadline() {
    boolean waited = failBeforeStart(late("waiting for a connection" + subchannel.story()));
    subchannel.forget(this); // behind the end: who has it wait looks at that after it
    if (waited) {
      return;
    }
    if (endHeld) {
      cancelWith(late("waiting for its reader"));
    } else if (method.type().clientSendsOneMessage() && !halfClosed) {
      cancelWith(late("before the request was sent"));
    }
  }

  private static Status late(String where) {
    return Status.DEADLINE_EXCEEDED.withDescription("deadline exceeded, " + where);
  }

  @Override
  public Optional<Onward> onUnseen(Unseen how, Status why) {
    boolean again = how == Unseen.NOT_SENT ? moves < MOST_MOVES : !refused;
    if (!again || subchannel.isClosed()) {
      return Optional.empty();
    }
    moves++;
    refused |= how == Unseen.NOT_PROCESSED;
    HeldOrders<Q> next = new HeldOrders<>();
    route = next;
    subchannel.pick(this);
    if (timer != null && !next.isLedOn()) {
      timer.startOrPass();
    }
    return Optional.of(new Move(next));
  }

  /** To the stream that carries the call next. */
  private final class Move implements Onward {
    private final HeldOrders<Q> next;

    Move(HeldOrders<Q> next) {
      this.next = next;
    }

    @Override
    public void order(Consumer<ClientStream<?>> order) {
      next.order(order);
    }

    @Override
    public void cancel(Status status) {
      cancelWith(status);
    }
  }

  /** The connection no longer watches the deadline of a call that its server has ended. */
  @Override
  public void onEndHeld() {
    boolean first = !endHeld;
    endHeld = true;
    if (timer != null) {
      timer.startOrPass();
    }
    if (first && !method.type().clientSendsOneMessage()) {
      receive(new CallEvent.Ready()); // who waits to send has nothing else to hear until the end
    }
  }

  @Override
  public void request(int messages) {
    if (messages <= 0) {
      throw new IllegalArgumentException("request of " + messages + " messages");
    }
    if (!isSingleResponse()) {
      requestOfInbox(messages);
    } else if (!requested) {
      requested = true;
      requestOfInbox(2); // a second response is a fault that must be seen, asked for or not
    }
    ClientStream<Q> stream = route.stream();
    if (stream != null) {
      stream.requested();
    }
  }

  @Override
  public boolean isMessageRequested() {
    return inbox.isMessageRequested();
  }

  private void requestOfInbox(int messages) {
    try {
      inbox.request(messages);
    } catch (RejectedExecutionException e) {
      onExecutorRefused(e);
    }
  }

  @Override
  public void sendMessage(Q message) {
    if (halfClosed) {
      throw new IllegalStateException("no more requests may be sent on this call");
    }
    try {
      orders.send(message, messageCompression);
    } catch (StatusException e) {
      cancelWith(e.status());
      return;
    } catch (Throwable e) {
      cancelWith(Status.INTERNAL.withDescription("the message cannot be sent").withCause(e));
      throw e;
    }
    if (method.type().clientSendsOneMessage()) {
      halfClose(); // so that the whole request leaves in one
    } else {
      orders.flush();
    }
  }

  @Override
  public void halfClose() {
    if (!halfClosed) {
      halfClosed = true;
      if (method.type().clientSendsOneMessage()) {
        subchannel.unsent().remove(this);
      }
      orders.halfClose();
      orders.flush();
    }
  }

  @Override
  public void cancel(String message) {
    cancelWith(Status.CANCELLED.withDescription(message));
  }

  @Override
  public void cancel(String message, Throwable cause) {
    cancelWith(Status.CANCELLED.withDescription(message).withCause(cause));
  }

  /** Ends the call with that status, wherever it is. Any thread. */
  void cancelWith(Status status) {
    if (beginning == null) {
      BEGINNING.compareAndSet(this, null, status);
    }
    if (beginning instanceof Status) {
      return; // its start ends it
    }
    HeldOrders<Q> way = route;
    ClientStream<Q> stream = way.stream();
    if (stream != null) {
      stream.cancel(status);
    } else {
      failBeforeStart(status);
      subchannel.forget(this); // behind the end: who has it wait looks at that after it
      way.cancel(status); // if there is a stream by now after all
    }
  }

  @Override
  public boolean isReady() {
    ClientStream<Q> stream = route.stream();
    return endHeld || (stream != null && stream.isReady());
  }

  @Override
  public boolean isResponseCompressed() {
    return responseCompressed;
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    messageCompression = enabled;
  }

  @Override
  public void add(CallEvent event) {
    inbox.add(event);
    if (event instanceof CallEvent.Closed && !ended) {
      ended = true;
      onEnded();
    }
  }

  /** From here on nothing is the channel's to do: what is left is between inbox and listener. */
  private void onEnded() {
    subchannel.unsent().forget(this);
    CallContext.Registration registration = served;
    if (registration != null) {
      registration.close();
      served = null;
    }
    if (GATE.addAndGet(this, ENDED) == ADMITTED + ENDED) {
      subchannel.onCallEnded();
    }
  }

  @Override
  public void flush() {
    try {
      inbox.wake();
    } catch (RejectedExecutionException e) {
      onExecutorRefused(e);
    }
  }

  /** The listener is told the rest on the thread that finds this out. */
  private void onExecutorRefused(RejectedExecutionException e) {
    cancelWith(Status.CANCELLED.withDescription("the call's executor takes no more").withCause(e));
    try {
      inbox.deliverHere();
    } catch (ListenerFailure told) {
      // No word of it may reach the connection, whose thread this may be.
    }
  }

  @Override
  public void receive(CallEvent event) {
    Listener<? super R> to = listener;
    if (to == null || endTold) {
      return;
    }
    if (fault == null || event instanceof CallEvent.Closed) {
      deliver(event, to);
    }
  }

  private void deliver(CallEvent event, Listener<? super R> to) {
    try {
      if (event instanceof CallEvent.Message message) {
        onMessage(message, to);
      } else if (event instanceof CallEvent.Closed closed) {
        onClosed(closed, to);
      } else if (event instanceof CallEvent.Headers headers) {
        to.onHeaders(headers.metadata());
      } else if (event instanceof CallEvent.Ready) { // a client is not told of half-close
        to.onReady();
      }
    } catch (Throwable e) {
      if (endTold) {
        throw lastWords(e);
      }
      breakCall(Status.CANCELLED.withDescription("the listener failed").withCause(e));
    }
  }

  private boolean isSingleResponse() {
    return method.type().serverSendsOneMessage();
  }

  /** No event comes behind the end: blocking callers learn of it where they wait. */
  private ListenerFailure lastWords(Throwable thrown) {
    String what = "the listener failed at the end of " + method.fullMethodName();
    LOG.log(Level.WARNING, what, thrown);
    return new ListenerFailure(what, thrown);
  }

  private void onMessage(CallEvent.Message message, Listener<? super R> to) {
    ClientStream<Q> stream = route.stream();
    if (stream != null) {
      stream.consumed(message.heldBytes());
    }
    responseCompressed = message.encoding() != MessageEncoding.IDENTITY;
    responses++;
    if (isSingleResponse() && responses > 1) {
      breakCall(Status.UNIMPLEMENTED.withDescription("more than one response message"));
      return;
    }
    R parsed;
    try {
      parsed = message.take(method.responseMarshaller());
    } catch (StatusException e) {
      breakCall(e.status());
      return;
    } catch (RuntimeException e) {
      breakCall(Status.INTERNAL.withDescription("a response cannot be parsed").withCause(e));
      return;
    }
    to.onMessage(parsed);
  }

  /** Ends the call for a fault seen on this side; nothing but the end is delivered any more. */
  private void breakCall(Status why) {
    fault = why;
    cancelWith(why);
  }

  private void onClosed(CallEvent.Closed closed, Listener<? super R> to) {
    endTold = true;
    if (timer != null) {
      timer.stop();
    }
    Status status = fault != null ? fault : closed.status();
    if (status.isOk() && isSingleResponse() && responses == 0) {
      status = Status.UNIMPLEMENTED.withDescription("no response message");
    }
    to.onClose(status, closed.trailers());
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicReferenceFieldUpdater<OutgoingCall<?, ?>, @Nullable Object> updater() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(OutgoingCall.class, Object.class, "beginning");
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // likewise
  private static AtomicIntegerFieldUpdater<OutgoingCall<?, ?>> gateUpdater() {
    return (AtomicIntegerFieldUpdater)
        AtomicIntegerFieldUpdater.newUpdater(OutgoingCall.class, "gate");
  }
}
