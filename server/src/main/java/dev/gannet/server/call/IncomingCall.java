package dev.gannet.server.call;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.AwaitableInbox;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerStream;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One call in the server's engine: takes events from the connection's loop, hands the call over to
 * its handler once, and delivers the events to the handler's listener. All events for a handler
 * pass {@link #deliver}; everything that it sends passes {@link HandlerCall}.
 *
 * <pre>
 *   COLLECTING ──request whole, or streamed──► WHOLE ──batch ends, admitted──► HANDED_OVER
 *        └──────────cancelled before that────────┴──cancelled, or refused───► DROPPED
 *
 *   HELD ──request whole, or call ends──► HELD_WHOLE ──cancelled, or refused──► DROPPED
 *     └──checked──► COLLECTING                └──checked──► WHOLE
 * </pre>
 *
 * <p>A call whose headers are {@linkplain CallAdmission.Pending checked} by something that takes
 * time is held from when it has begun: COLLECTING becomes HELD, WHOLE becomes HELD_WHOLE. Only then
 * is its single message not requested.
 *
 * <p>The listener is first asked for, and last notified of the end ({@code NOT_STARTED ──► STARTED
 * ──► ENDED}); if the call is dropped, neither happens.
 *
 * <p>{@link #add} and {@link #flush} are called on the connection's loop. The handler and its
 * listener run where the {@link HandlerRunner} says, one event at a time. A method with a single
 * request is handed over once, when its request is complete. {@link HandlerCallState} determines
 * how the call ends.
 */
final class IncomingCall<Q, R> extends AwaitableInbox implements ServerCallEventListener {
  /**
   * The event that starts a handler; never put into an inbox, so one object is enough for all
   * calls.
   */
  private static final CallEvent BEGIN = new CallEvent.Ready();

  private static final AtomicReferenceFieldUpdater<IncomingCall<?, ?>, HandlerCallState> STATE =
      updater(HandlerCallState.class, "state");

  private static final AtomicReferenceFieldUpdater<IncomingCall<?, ?>, Listening> LISTENING =
      updater(Listening.class, "listening");

  /** The progress of the hand-over to the handler. */
  private enum HandOver {
    COLLECTING,
    WHOLE,
    HELD,
    HELD_WHOLE,
    HANDED_OVER,
    DROPPED
  }

  /** What the handler's listener has heard of. */
  private enum Listening {
    NOT_STARTED,
    /** The handler has been asked for its listener, and may have thrown instead. */
    STARTED,
    /** The listener has been told of the end. */
    ENDED
  }

  private static final Status REJECTED =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "the server cannot run the call: its executor rejected it, or no thread can be started");

  private final CallObservers<Q, R> observers;
  private final ServerStream<R> stream;
  private final HandlerRunner runner;
  private final HandlerCall<Q, R> call;

  // Used on the loop.
  private HandOver handOver;
  private boolean longToRead;

  // Used by the delivering thread.
  private ServerCall.@Nullable Listener<Q> listener;
  private boolean hasRequest;

  // Shared.
  private volatile HandlerCallState state;
  private volatile boolean requestCompressed;
  private volatile Listening listening; // written by the delivering thread
  private volatile boolean cancellationNotified;

  /**
   * A call that has just arrived, its method and observers, and the runner of its handler. Without
   * the fences of volatile writes: no other thread knows this object yet.
   */
  @SuppressWarnings("NullAway") // the updaters set the states
  IncomingCall(CallObservers<Q, R> observers, ServerStream<R> stream, HandlerRunner runner) {
    this.observers = observers;
    this.stream = stream;
    this.runner = runner;
    STATE.lazySet(this, HandlerCallState.OPEN);
    LISTENING.lazySet(this, Listening.NOT_STARTED);
    this.call = new HandlerCall<>(this);
    boolean streamed = !method().type().clientSendsOneMessage();
    this.handOver = streamed ? HandOver.WHOLE : HandOver.COLLECTING;
  }

  MethodDescriptor<Q, R> method() {
    return observers.method().descriptor();
  }

  /** Whether the server accepts no more calls. */
  Draining draining() {
    return observers.method().draining();
  }

  ServerStream<R> stream() {
    return stream;
  }

  @Override
  public CallAdmission onBegun() {
    CallAdmission admission = observers.onBegun(call);
    if (admission instanceof CallAdmission.Pending pending) {
      handOver = handOver == HandOver.WHOLE ? HandOver.HELD_WHOLE : HandOver.HELD;
      expect(pending);
    }
    return admission;
  }

  private void expect(CallAdmission.Pending pending) {
    pending
        .check()
        .whenComplete((nothing, failure) -> stream.inTurn(() -> onChecked(pending, failure)));
  }

  /** A check has ended. If the call has ended before, a flush drops it, or has done so. */
  private void onChecked(CallAdmission.Pending pending, @Nullable Throwable failure) {
    if (!isHeld() || isCancelled()) {
      return;
    }
    CallAdmission admission;
    try {
      admission = pending.next().apply(failure);
      if (admission instanceof CallAdmission.Pending again) {
        expect(again);
      }
    } catch (Throwable e) { // the other calls of the connection must go on
      admission = CallAdmission.failed(e);
    }
    if (admission instanceof CallAdmission.Refused refused) {
      sendFailure(refused.status(), refused.trailers());
      drop();
    } else if (admission instanceof CallAdmission.Admitted) {
      handOver = handOver == HandOver.HELD_WHOLE ? HandOver.WHOLE : HandOver.COLLECTING;
      stream.requested();
    }
  }

  private boolean isHeld() {
    return handOver == HandOver.HELD || handOver == HandOver.HELD_WHOLE;
  }

  @Override
  public void add(CallEvent event) {
    if (event instanceof CallEvent.Closed closed) {
      onEnd(closed);
      return;
    }
    if (event instanceof CallEvent.HalfClosed) {
      becomeWhole();
    } else if (event instanceof CallEvent.Message message) {
      onArrived(message);
    }
    if (handOver == HandOver.HANDED_OVER) {
      super.add(event);
    } else {
      addUnshared(event);
    }
  }

  private void onArrived(CallEvent.Message message) {
    observers.onReceived(message.wireBytes());
    if (message.isLargeOnceRead()) {
      longToRead = true;
    }
    if (message.isLast()) {
      becomeWhole();
    }
  }

  private void becomeWhole() {
    if (handOver == HandOver.COLLECTING) {
      handOver = HandOver.WHOLE;
    } else if (handOver == HandOver.HELD) {
      handOver = HandOver.HELD_WHOLE;
    }
  }

  @Override
  public void addAnswered() {
    if (listener == null || EndInterest.of(listener)) {
      add(CallEvent.Closed.atOnce(Status.OK));
    } else {
      observers.onClosed(Status.OK);
      becomeWhole();
      STATE.getAndUpdate(this, HandlerCallState::delivered);
    }
  }

  private void onEnd(CallEvent.Closed closed) {
    observers.onClosed(closed.status()); // first: the handler may see the next step and answer
    becomeWhole();
    if (!closed.status().isOk()) {
      if (isOpen()) {
        call.extras().setCancellation(closed.status());
      }
      STATE.getAndUpdate(this, HandlerCallState::cutOff);
      addAtOnce(closed, message -> stream.consumed(message.heldBytes()));
      notifyOfCancellation();
      runner.interrupt();
      return;
    }
    STATE.getAndUpdate(this, HandlerCallState::delivered);
    if (listener == null || EndInterest.of(listener)) {
      super.add(closed);
    }
  }

  @Override
  public void flush() {
    switch (handOver) {
      case WHOLE -> {
        if (isCancelled() || refuse()) {
          drop();
        } else {
          handOver = HandOver.HANDED_OVER;
          wakeFirst();
        }
      }
      case HANDED_OVER -> {
        if (hasArrivals()) {
          wake();
        }
      }
      case HELD_WHOLE -> {
        if (isCancelled()) {
          drop();
        }
      }
      case COLLECTING, HELD, DROPPED -> {}
    }
  }

  /** The handler never started, and never will. */
  private void drop() {
    handOver = HandOver.DROPPED;
    endHandler();
  }

  /** Asks whether the handler may start; if it may not, answers the client. */
  private boolean refuse() {
    if (observers.admit(call) instanceof CallAdmission.Refused refused) {
      sendFailure(refused.status(), refused.trailers());
      return true;
    }
    return false;
  }

  @Override
  public void wake() {
    try {
      super.wake();
    } catch (RejectedExecutionException e) {
      onExecutorRefused(e);
    }
  }

  @Override
  protected void wakeFirst() {
    try {
      super.wakeFirst();
    } catch (RejectedExecutionException e) {
      onExecutorRefused(e);
    }
  }

  /** A single message need not be counted, nor anybody be woken for it where nobody can wait. */
  @Override
  public void request(int messages) {
    if (method().type().clientSendsOneMessage() && !mayWait() && isDeliveringHere()) {
      requestAllInside();
    } else {
      super.request(messages);
    }
  }

  /**
   * The handler cannot run any more. Its end is reported on this thread. The rejection that ends
   * the call is logged; one that comes after the response, or with the end, changes nothing.
   * Observers get the code of the response from the thread that sends it.
   */
  private void onExecutorRefused(RejectedExecutionException e) {
    if (state.isEnded()) {
      deliverHere();
      observers.onHandlerEnded(Status.Code.CANCELLED);
    } else if (!state.isAnswered()) {
      HandlerFailure.logRejection(method().fullMethodName(), e);
      sendFailure(REJECTED, new Metadata());
    }
    stream.handlerEnded();
  }

  @Override
  public boolean isMessageRequested() {
    return method().type().clientSendsOneMessage() ? !isHeld() : super.isMessageRequested();
  }

  @Override
  public CallContext context() {
    return call;
  }

  /** Sets the initial values of its context; called before its first event. */
  void setValues(ContextValue values) {
    call.extras().setValues(values);
  }

  /** A message has arrived that takes too long to parse on an event loop. */
  boolean isLongToRead() {
    return longToRead;
  }

  /** Whether this thread is the connection's event loop. */
  boolean isOnLoop() {
    return stream.isOnLoop();
  }

  /** Runs the inbox where the handler runs. */
  @Override
  protected void execute() {
    runner.execute(this, this);
  }

  /** Runs the inbox, on the handler's thread. */
  @Override
  public void run() {
    try {
      runner.run(this);
    } finally {
      endHandlerIfCancelled();
    }
  }

  @Override
  protected void onLeft() {
    endHandlerIfCancelled();
  }

  private void endHandlerIfCancelled() {
    if (listening == Listening.ENDED && isCancelled()) {
      endHandler();
    }
  }

  /** The handler of a call that has ended will not answer any more. */
  void endHandler() {
    observers.onHandlerEnded(Status.Code.CANCELLED);
    stream.handlerEnded();
  }

  /** Delivers the available events, with this as the thread's current call. */
  void deliverInContext() {
    call.run(call);
  }

  /** Delivers the available events; this is the thread's current call already. */
  void deliverAsCurrent() {
    deliverAll();
  }

  /** Starts the handler. */
  @Override
  protected @Nullable CallEvent firstEvent() {
    return mayStart() ? BEGIN : null;
  }

  private boolean mayStart() {
    return listening == Listening.NOT_STARTED && !isCancelled();
  }

  @Override
  protected void receive(CallEvent event) {
    try {
      runner.deliver(event, this);
      call.onEventEnded();
    } catch (Throwable e) {
      call.onEventThrew(e);
    }
  }

  @Override
  protected boolean mayWait() {
    return runner.mayBlock();
  }

  @Override
  protected void onStuck() {
    if (!isAnswered()) {
      HandlerFailure.endStuckHandler(call);
    }
  }

  /** Delivers one event to the listener. */
  void deliver(CallEvent event) {
    switch (event) {
      case CallEvent.Ready ready -> onReady();
      case CallEvent.Message message -> onMessage(message);
      case CallEvent.HalfClosed halfClosed -> onHalfClosed();
      case CallEvent.Closed closed -> onClosed(closed);
      case CallEvent.Headers headers -> throw new AssertionError("a server gets no headers event");
    }
  }

  private void onReady() {
    if (mayStart()) {
      LISTENING.lazySet(this, Listening.STARTED); // once, even if it throws after it has answered
      observers.onStarted();
      listener =
          Objects.requireNonNull(
              observers.method().definition().handler().startCall(call, call.requestHeaders()),
              "startCall of the handler returned null instead of a ServerCall.Listener");
    }
    if (listener != null) {
      listener.onReady();
    }
  }

  private void onMessage(CallEvent.Message message) {
    stream.consumed(message.heldBytes());
    boolean compressed = message.encoding() != MessageEncoding.IDENTITY;
    if (compressed != requestCompressed) {
      requestCompressed = compressed;
    }
    hasRequest = true;
    if (listener != null && !isAnswered()) {
      listener.onMessage(parse(message));
    }
    if (message.isLast() && !isCancelled()) {
      onHalfClosed();
    }
  }

  private Q parse(CallEvent.Message message) {
    try {
      return message.take(stream.requestMarshaller(method()));
    } catch (StatusException e) {
      throw e;
    } catch (RuntimeException e) {
      throw Status.INTERNAL
          .withDescription("the request message cannot be parsed")
          .withCause(e)
          .asException();
    }
  }

  private void onHalfClosed() {
    if (method().type().clientSendsOneMessage() && !hasRequest) {
      call.close(
          Status.UNIMPLEMENTED.withDescription(
              "the client half-closed without a request message; this method needs one"),
          new Metadata());
    } else if (listener != null && !isAnswered()) {
      listener.onHalfClose();
    }
  }

  private void onClosed(CallEvent.Closed closed) {
    try {
      if (listener != null && closed.status().isOk()) {
        listener.onComplete();
      } else if (listener != null) {
        listener.onCancel();
      }
    } finally {
      listening = Listening.ENDED;
    }
  }

  /** The handler answers; returns whether this is the first answer. */
  boolean answer() {
    return !STATE.getAndUpdate(this, HandlerCallState::answered).isAnswered();
  }

  /** The handler fails; returns whether the call was not answered before. */
  boolean fail() {
    return !STATE.getAndUpdate(this, HandlerCallState::failed).isAnswered();
  }

  /** The call is ended while its handler runs; returns whether it was open. */
  boolean tryEnd() {
    return STATE.compareAndSet(this, HandlerCallState.OPEN, HandlerCallState.FAILED);
  }

  void send(R message, MessageEncoding encoding, boolean compressed, ServerStream.Flush flush) {
    observers.onSent(stream.send(message, encoding, compressed, flush));
  }

  /** Sends the handler's answer. */
  void sendAnswer(Status status, Metadata trailers) {
    observers.onHandlerEnded(status.code());
    stream.close(status, trailers);
  }

  /** Sends an answer while the handler has not returned, or has not started. */
  void sendFailure(Status status, Metadata trailers) {
    observers.onHandlerEnded(status.code());
    stream.fail(status, trailers);
  }

  /**
   * Sends an answer while the handler runs. The call's observers learn of the handler's end when it
   * has returned.
   */
  void sendEarlyEnd(Status status, Metadata trailers) {
    try {
      stream.fail(status, trailers);
    } catch (RejectedExecutionException e) {
      stream.inTurn(() -> {}); // wakes the loop once more: the call is not ended twice
    }
  }

  /** Whether output of the handler is still accepted. */
  boolean isOpen() {
    return state == HandlerCallState.OPEN;
  }

  boolean isAnswered() {
    return state.isAnswered();
  }

  boolean isCancelled() {
    return state.isCancelled();
  }

  boolean isRequestCompressed() {
    return requestCompressed;
  }

  /** Called after the response, if there is one, because users' actions might give another. */
  void notifyOfCancellation() {
    // write-then-check with HandlerCall.onCancelled: notified first, then the actions
    cancellationNotified = true;
    call.runCancelActions();
  }

  boolean isCancellationNotified() {
    return cancellationNotified;
  }

  /** Blocks as described in {@link ServerCall#awaitEvent}. */
  void awaitEvent(BooleanSupplier until) throws InterruptedException {
    checkMayWait();
    await(() -> isAnswered() || until.getAsBoolean());
  }

  /** Blocks as described in {@link ServerCall#awaitEvent(BooleanSupplier, Duration)}. */
  void awaitEvent(BooleanSupplier until, Duration atMost) throws InterruptedException {
    checkMayWait();
    await(
        () -> isAnswered() || until.getAsBoolean(),
        Math.max(0, TimeUnit.NANOSECONDS.convert(atMost)));
  }

  private void checkMayWait() {
    if (!mayWait() || stream.isOnLoop()) {
      throw new IllegalStateException(
          "the handler of "
              + method().fullMethodName()
              + " runs on an event loop (Dispatch.inline()), which must not wait; use"
              + " Dispatch.virtualThreads()");
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static <T> AtomicReferenceFieldUpdater<IncomingCall<?, ?>, T> updater(
      Class<T> type, String field) {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(IncomingCall.class, type, field);
  }
}
