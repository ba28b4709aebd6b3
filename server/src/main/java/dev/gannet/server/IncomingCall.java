package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallEvents;
import dev.gannet.transport.CallInbox;
import dev.gannet.transport.LogAllowance;
import dev.gannet.transport.ServerStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * One call in the server's engine: between the stream that carries it and the handler that serves
 * it.
 *
 * <pre>
 *   COLLECTING ──request whole (or streamed)──► SERVING ──close or failure──► ANSWERED
 *        └──────────────── reset, deadline, connection lost ──────────────► CANCELLED
 * </pre>
 *
 * <p>Events are put in by the connection's loop; the handler and its listener run where the
 * dispatch says, one event at a time. A method with a single request is handed over once, when its
 * request is whole.
 */
final class IncomingCall<Q, R>
    implements ServerCall<Q, R>, CallContext, CallEvents, CallInbox.Receiver, Executor, Runnable {
  private static final Logger LOG = System.getLogger(IncomingCall.class.getName());
  private static final LogAllowance REFUSALS = new LogAllowance(System::nanoTime);

  private static final AtomicReferenceFieldUpdater<IncomingCall<?, ?>, @Nullable CancelActions>
      CANCEL_ACTIONS = updater();

  private final ServerMethodDefinition<Q, R> definition;
  private final ServerStream<R> stream;
  private final CallInbox inbox = new CallInbox(this, this);
  private final @Nullable CallThread thread;

  private final Metadata requestHeaders;

  // The loop's.
  private Executor executor;
  private boolean whole;
  private boolean handedOver;

  // The handler's.
  private @Nullable Listener<Q> listener;
  private @Nullable Metadata responseHeaders;
  private @Nullable Metadata responseTrailers;
  private volatile @Nullable ContextValue values;
  private boolean hasRequest;
  private boolean hasResponse;
  private boolean begun;
  private boolean compressing;
  private boolean messageCompression = true;
  private volatile boolean answered;

  /** What a plain handler has thrown, perhaps, which will come out of its event, too. */
  private @Nullable Status closedWith;

  /** How many events are being delivered, one inside the other: handlers may wait inside one. */
  private short depth;

  private @Nullable Thread deliverer;

  // Shared.
  private volatile boolean requestCompressed;
  private volatile boolean ended;
  private volatile boolean cancelled;
  private volatile boolean endDelivered;
  private volatile @Nullable CancelActions cancelActions;
  private volatile boolean cancellationTold;

  /**
   * A call that has just come.
   *
   * @param executor where its handler runs
   * @param thread to interrupt the handler by, where the executor's threads are ours: others may be
   *     doing something else by then
   */
  IncomingCall(
      ServerMethodDefinition<Q, R> definition,
      ServerStream<R> stream,
      Executor executor,
      @Nullable CallThread thread) {
    this.definition = definition;
    this.stream = stream;
    this.executor = executor;
    this.thread = thread;
    this.requestHeaders = stream.headers();
    this.whole = !definition.method().type().clientSendsOneMessage();
    inbox.add(new CallEvent.Ready());
  }

  @Override
  public void add(CallEvent event) {
    if (event instanceof CallEvent.Closed closed) {
      onEnd(closed);
    } else {
      whole |= event instanceof CallEvent.HalfClosed;
      if (executor instanceof InlineMethod inline && isLarge(event)) {
        executor = inline.elsewhere();
      }
      inbox.add(event);
    }
  }

  @Override
  public void addAnswered() {
    if (listener == null || EndInterest.of(listener)) {
      add(CallEvent.Closed.atOnce(Status.OK));
    } else {
      whole = true;
      ended = true;
    }
  }

  private static boolean isLarge(CallEvent event) {
    return event instanceof CallEvent.Message message && message.isLargeOnceRead();
  }

  private void onEnd(CallEvent.Closed closed) {
    whole = true;
    ended = true;
    if (!closed.status().isOk()) {
      cancelled = true;
      inbox.addAtOnce(closed, message -> stream.consumed(message.heldBytes()));
      tellOfCancellation();
      if (thread != null) {
        thread.interrupt();
      }
    } else if (listener == null || EndInterest.of(listener)) {
      inbox.add(closed);
    }
  }

  @Override
  public void flush() {
    if (cancelled && !handedOver) {
      handedOver = true;
      stream.handlerEnded(); // it never began, and never will
    } else if (whole && inbox.hasArrivals()) {
      handedOver = true;
      try {
        inbox.wake();
      } catch (RejectedExecutionException e) {
        onExecutorRefused(e);
      }
    }
  }

  /** Nothing of the handler can run any more. Its end is told on the thread that finds this out. */
  private void onExecutorRefused(RejectedExecutionException e) {
    if (ended) {
      inbox.deliverHere();
    } else {
      stream.fail(
          Status.RESOURCE_EXHAUSTED.withDescription("no thread for the call"), new Metadata());
    }
    stream.handlerEnded();
    logRefusal(e);
  }

  private static void logRefusal(RejectedExecutionException e) {
    long before = REFUSALS.ask();
    if (before != LogAllowance.LEFT_OUT) {
      String rest = before == 0 ? "" : " (" + before + " more refusals were not logged)";
      LOG.log(Level.WARNING, "the executor takes no more calls: " + e.getMessage() + rest);
    }
  }

  /** Has the inbox run where handlers run. */
  @Override
  public void execute(Runnable inboxRun) {
    executor.execute(this);
  }

  @Override
  public void run() {
    if (thread != null) {
      thread.enter();
    }
    try {
      run(inbox);
    } finally {
      if (thread != null) {
        thread.leave();
      }
      if (endDelivered && cancelled) {
        stream.handlerEnded();
      }
    }
  }

  @Override
  public void receive(CallEvent event) {
    depth++;
    Thread outer = deliverer;
    deliverer = Thread.currentThread();
    try {
      if (executor instanceof InlineMethod inline && inline.isWatched() && stream.isOnLoop()) {
        inline.time(() -> deliver(event));
      } else {
        deliver(event);
      }
    } catch (Throwable e) {
      onFailure(e);
    } finally {
      deliverer = outer;
      depth--;
    }
    if (depth == 0 && !answered && inbox.isAwaited()) {
      closeUnheard();
    }
  }

  /** A handler waits outside of its call's events, where nothing would wake it. */
  private void closeUnheard() {
    close(
        Status.INTERNAL.withDescription("the handler waits outside of the events of its call"),
        new Metadata());
    LOG.log(
        Level.WARNING,
        "the handler of "
            + method().fullMethodName()
            + " waits outside of the events of its call: an interceptor has begun it on another"
            + " thread");
  }

  private void deliver(CallEvent event) {
    switch (event) {
      case CallEvent.Ready ready -> onReady();
      case CallEvent.Message message -> onMessage(message);
      case CallEvent.HalfClosed halfClosed -> onHalfClosed();
      case CallEvent.Closed closed -> onClosed(closed);
      case CallEvent.Headers headers -> throw new AssertionError("a server gets no headers event");
    }
  }

  private void onReady() {
    if (listener == null && !cancelled) {
      listener =
          Objects.requireNonNull(
              definition.handler().startCall(this, requestHeaders), "the handler gave no listener");
    }
    if (listener != null) {
      listener.onReady();
    }
  }

  private void onMessage(CallEvent.Message message) {
    stream.consumed(message.heldBytes());
    requestCompressed = message.encoding() != MessageEncoding.IDENTITY;
    hasRequest = true;
    if (listener != null && !answered) {
      listener.onMessage(parse(message));
    }
  }

  private Q parse(CallEvent.Message message) {
    try {
      return message.take(method().requestMarshaller());
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
      close(Status.UNIMPLEMENTED.withDescription("no request message"), new Metadata());
    } else if (listener != null && !answered) {
      listener.onHalfClose();
    }
  }

  private void onClosed(CallEvent.Closed closed) {
    endDelivered = true;
    if (listener != null && closed.status().isOk()) {
      listener.onComplete();
    } else if (listener != null) {
      listener.onCancel();
    }
  }

  /**
   * Ends the call for what the handler threw; the peer learns no more than the handler meant it to.
   */
  private void onFailure(Throwable thrown) {
    if (thrown instanceof StatusException exception && exception.failedCall().isEmpty()) {
      fail(exception.status(), allTrailers(exception.trailers()));
      return;
    }
    Level level = cancelled ? Level.DEBUG : Level.WARNING; // most fail for the cancellation
    try {
      Status failed = Status.UNKNOWN.withDescription("the handler failed");
      fail(failed.withCause(thrown), allTrailers(new Metadata())); // causes travel on no wire
    } finally { // behind it, for a log may throw what the exception's message does
      LOG.log(
          level, "the handler of " + method().fullMethodName() + " failed" + why(thrown), thrown);
    }
  }

  /** Names the inner call whose failure the handler let pass. */
  private static String why(Throwable thrown) {
    Optional<String> call =
        thrown instanceof StatusException inner ? inner.failedCall() : Optional.empty();
    return call.map(it ->
            ": its own call of "
                + it
                + " failed. Its client is told UNKNOWN; StatusException.passOn() passes the inner"
                + " status on")
        .orElse("");
  }

  /** What the handler has left in the context goes with its failure, unless that says otherwise. */
  private Metadata allTrailers(Metadata thrown) {
    Metadata left = responseTrailers;
    if (left == null || left.isEmpty()) {
      return thrown;
    }
    Metadata all = thrown.copy();
    all.mergeAbsent(left);
    return all;
  }

  /**
   * Ends the call with a failure that the handler's own close does not tell. What waits inside the
   * handler learns that nobody hears it any more; while it does, the call is not over.
   */
  private void fail(Status status, Metadata trailers) {
    boolean toldAlready = answered && status.equals(closedWith);
    if (answered && !toldAlready) {
      return;
    }
    cancelled = true;
    if (toldAlready) {
      tellOfCancellation();
      return;
    }
    if (depth > 1) {
      answered = true;
      Status failure =
          status.isOk() ? Status.INTERNAL.withDescription("a failure that says OK") : status;
      stream.fail(failure, trailers);
    } else {
      close(status, trailers);
    }
    tellOfCancellation();
  }

  @Override
  public MethodDescriptor<Q, R> method() {
    return definition.method();
  }

  @Override
  public CallContext context() {
    return this;
  }

  @Override
  public void request(int messages) {
    if (messages <= 0) {
      throw new IllegalArgumentException("request of " + messages + " messages");
    }
    boolean single = method().type().clientSendsOneMessage();
    try {
      inbox.request(messages);
    } catch (RejectedExecutionException e) {
      onExecutorRefused(e);
    }
    if (!single) {
      stream.requested();
    }
  }

  @Override
  public boolean isMessageRequested() {
    return method().type().clientSendsOneMessage() || inbox.isMessageRequested();
  }

  @Override
  public void sendHeaders(Metadata headers) {
    Objects.requireNonNull(headers, "headers");
    if (begun) {
      throw new IllegalStateException("the response has begun, and so have its headers");
    }
    begun = true;
    stream.sendHeaders(headers);
    if (!method().type().serverSendsOneMessage()) {
      stream.flush();
    }
  }

  @Override
  public void sendMessage(R message) {
    if (answered || cancelled) {
      return;
    }
    if (message == null) {
      LOG.log(Level.WARNING, "the handler of " + method().fullMethodName() + " returned null");
      throw Status.INTERNAL.withDescription("the handler returned null").asException();
    }
    boolean single = method().type().serverSendsOneMessage();
    if (single && hasResponse) {
      throw Status.INTERNAL.withDescription("more than one response message").asException();
    }
    begun = true;
    hasResponse = true;
    write(message);
    if (!single) {
      stream.flush();
    }
  }

  /**
   * What cannot be sent ends the call: inside an event as whatever a handler throws, and here where
   * nobody would see that. The peer is told of a failure and not of its cause, so that is told
   * here.
   */
  private void write(R message) {
    try {
      stream.send(message, compressing && messageCompression);
    } catch (StatusException e) {
      if (!Thread.currentThread().equals(deliverer)) {
        fail(e.status(), allTrailers(e.trailers()));
      }
      e.status()
          .cause()
          .ifPresent(cause ->
              LOG.log(
                  Level.WARNING,
                  "a response of " + method().fullMethodName() + " cannot be written",
                  cause));
      throw e;
    }
  }

  @Override
  public void close(Status status, Metadata trailers) {
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(trailers, "trailers");
    if (answered) {
      return;
    }
    answered = true;
    closedWith = status;
    boolean missing = status.isOk() && method().type().serverSendsOneMessage() && !hasResponse;
    Status told =
        missing ? Status.INTERNAL.withDescription("the handler gave no response") : status;
    try {
      stream.close(told, trailers);
    } catch (RejectedExecutionException e) {
      stream.handlerEnded(); // wakes the loop once more: nobody closes a call twice
    }
    inbox.wakeWaiters();
  }

  @Override
  public boolean isReady() {
    return !answered && !cancelled && stream.isReady();
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  /** Behind the answer, if there is one: others' code might give another. */
  private void tellOfCancellation() {
    cancellationTold = true;
    CancelActions actions = cancelActions;
    if (actions != null) {
      actions.fire();
    }
  }

  @Override
  public Registration onCancelled(Runnable action) {
    Objects.requireNonNull(action, "action");
    if (cancelActions == null) {
      CANCEL_ACTIONS.compareAndSet(this, null, new CancelActions());
    }
    CancelActions actions = Objects.requireNonNull(cancelActions);
    Registration registration = actions.add(action);
    if (cancellationTold) { // who told may not have found them
      actions.fire();
    }
    return registration;
  }

  @Override
  public boolean isRequestCompressed() {
    return requestCompressed;
  }

  @Override
  public void setCompression(String encoding) {
    MessageEncoding wanted =
        MessageEncoding.of(encoding)
            .orElseThrow(() -> new IllegalArgumentException("unknown encoding: " + encoding));
    if (begun) {
      throw new IllegalStateException("the response has begun without " + encoding);
    }
    if (wanted != MessageEncoding.IDENTITY && stream.accepts(wanted)) {
      compressing = true;
      stream.setEncoding(wanted);
    }
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    messageCompression = enabled;
  }

  @Override
  public void awaitEvent(BooleanSupplier until) throws InterruptedException {
    if (executor instanceof InlineMethod || stream.isOnLoop()) {
      throw new IllegalStateException(
          method().fullMethodName() + " is dispatched inline, and must not block");
    }
    if (depth == 0 && !answered) {
      closeUnheard();
    }
    inbox.await(() -> answered || until.getAsBoolean());
  }

  @Override
  public String authority() {
    return stream.authority();
  }

  @Override
  public Optional<Deadline> deadline() {
    return stream.deadline();
  }

  @Override
  public Metadata requestHeaders() {
    return requestHeaders;
  }

  @Override
  public Metadata responseHeaders() {
    if (responseHeaders == null) {
      responseHeaders = new Metadata();
    }
    return responseHeaders;
  }

  @Override
  public Metadata responseTrailers() {
    if (responseTrailers == null) {
      responseTrailers = new Metadata();
    }
    return responseTrailers;
  }

  @Override
  public <T> Optional<T> value(Key<T> key) {
    return ContextValue.find(values, key);
  }

  @Override
  public <T> void setValue(Key<T> key, T value) {
    values = ContextValue.with(values, key, value);
  }

  @Override
  public SocketAddress peer() {
    return stream.connection().remoteAddress();
  }

  @Override
  public Optional<SSLSession> sslSession() {
    return stream.connection().tls();
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicReferenceFieldUpdater<IncomingCall<?, ?>, @Nullable CancelActions>
      updater() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(
            IncomingCall.class, CancelActions.class, "cancelActions");
  }
}
