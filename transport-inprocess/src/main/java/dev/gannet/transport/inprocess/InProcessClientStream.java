package dev.gannet.transport.inprocess;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallParent;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.CarriedMetadata;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.CallStatuses;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.NotProcessed;
import dev.gannet.transport.RetryTarget;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.settings.ServerDeadline;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The stream of a call that the client holds.
 *
 * <pre>
 *   OPEN ──the server's status or limit──► ANSWERED (behind messages) ──cancel, grace──► ENDED
 *    ├──cancel, the client's deadline, shutdown────────────────────────────────────────────▲
 *    └──not carried, may be carried by another connection──► MOVED (continues as another attempt)
 * </pre>
 *
 * <p>Commands come on the caller's thread and go directly to the {@link InProcessServerStream}.
 * Events for the client, and the state, belong to the delivering thread.
 */
final class InProcessClientStream<Q, R> extends SerialDelivery implements ClientStream<Q> {
  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicIntegerFieldUpdater<InProcessClientStream> UNREAD =
      AtomicIntegerFieldUpdater.newUpdater(InProcessClientStream.class, "unread");

  /** A side is not ready while this many of its messages are unread. */
  static final int MAX_UNREAD = 16;

  static final Status CANCELLED_BY_CLIENT =
      Status.CANCELLED.withDescription("the client has cancelled the call");
  private static final Status FULL =
      Status.UNAVAILABLE.withDescription(
          "the server accepts no more calls on the in-process connection"
              + " (maxConcurrentCallsPerConnection of its ServerBuilder)");
  private static final Status RESPONSE_REFUSED =
      Status.CANCELLED.withDescription("the client ended the call before it read the response");

  /** The state of the call. */
  private sealed interface State {}

  private enum Step implements State {
    OPEN,
    ANSWERED,
    ENDED
  }

  /** The call continues there. */
  private record Moved(RetryTarget to) implements State {}

  private final InProcessConnection connection;
  private final CallStart<Q, R> start;

  // Used by the caller.
  private @Nullable Q message;
  private boolean halfClosing;
  private boolean begun;
  private int slot;

  /**
   * Used by the delivering thread, which may replace it. Others only ask whether the call is
   * traced, and each listener of the call answers alike.
   */
  private ClientCallEventListener events;

  // Used by the delivering thread; volatile fields are read by others.
  private volatile State state = Step.OPEN;
  private boolean headersDelivered;

  // Shared.
  private volatile @Nullable InProcessServerStream<?, ?> server;
  private volatile @Nullable CallTimer timer;
  private volatile int unread;

  InProcessClientStream(
      InProcessConnection connection, CallStart<Q, R> start, ClientCallEventListener events) {
    this.connection = connection;
    this.start = start;
    this.events = events;
  }

  @Override
  public void send(Q message, boolean compressed) {
    if (this.message != null) {
      flush();
    }
    if (message == null) {
      throw Status.INTERNAL
          .withDescription(
              "the client sent null instead of a request message for "
                  + start.method().fullMethodName())
          .asException();
    }
    this.message = message;
  }

  @Override
  public void sendFramed(ByteBuffer frame) {
    throw new UnsupportedOperationException("no stream of this transport frames messages");
  }

  @Override
  public void halfClose() {
    halfClosing = true;
  }

  @Override
  public void flush() {
    Q sent = message;
    boolean last = halfClosing;
    message = null;
    halfClosing = false;
    if (!begun) {
      begun = true;
      begin(sent, last);
    } else if (sent != null || last) {
      deliver(sent, last);
    }
  }

  /** Delivers what follows the start of the call. */
  void deliver(@Nullable Q sent, boolean last) {
    InProcessServerStream<?, ?> to = server;
    if (to == null) {
      execute(() -> forwardGuarded(() -> sent, last)); // has ended, or continues elsewhere
      return;
    }
    CallEvent.Handed request = handOver(sent, last, to.method());
    if (sent == null || request != null) {
      to.deliver(request, last);
    }
  }

  /**
   * The message for the server; null if there is none, or if it is too long for the server, which
   * has ended the call.
   *
   * @throws StatusException if this side cannot send it, which has ended the call, too
   */
  CallEvent.@Nullable Handed handOver(@Nullable Q sent, boolean last, ServerMethod<?, ?> to) {
    if (sent == null) {
      return null;
    }
    if (!start.method().type().clientSendsOneMessage()) {
      UNREAD.incrementAndGet(this);
    }
    CallEvent.Handed written;
    try {
      written = written(sent, last, to);
    } catch (StatusException e) {
      endBoth(e.status(), CANCELLED_BY_CLIENT);
      throw e;
    }
    try {
      MessageHandOver.check(
          written, to.limits().maxInboundMessageBytes(), MessageSizeLimit.OF_RECEIVED_REQUESTS);
    } catch (StatusException e) { // the server's own failure: the client has done nothing wrong
      endBoth(e.status(), CANCELLED_BY_CLIENT);
      return null;
    }
    if (events.isTraced()) {
      int bytes = written.messageBytes();
      execute(() -> events.onMessageSent(bytes, bytes));
    }
    return written;
  }

  private CallEvent.Handed written(Q sent, boolean last, ServerMethod<?, ?> to) {
    CallEvent.Handed message =
        MessageHandOver.convert(
            sent,
            last ? CallEvent.Following.HALF_CLOSE : CallEvent.Following.MORE,
            start.method().requestMarshaller(),
            to.descriptor().requestMarshaller(),
            connection.writesMessages());
    MessageHandOver.check(
        message, start.maxOutboundMessageBytes(), start.messages().outboundLimit());
    return message;
  }

  /** Removes the call from the connection, unless the server has a stream that will do so. */
  private void begin(@Nullable Q sent, boolean last) {
    slot = connection.enter(this);
    try {
      connection.admission().admit(this, sent, last);
    } finally {
      if (server == null) {
        leaveConnection();
      }
    }
  }

  /** Notifies the tracers of a traced call that its headers go to the server. */
  void traceHeaders() {
    if (events.isTraced()) {
      execute(() -> events.onHeadersSent(connection.info(), authority()));
    }
  }

  /** The server serves the call: it begins with this, unless it has ended meanwhile. */
  void begin(InProcessServerStream<?, ?> made, CallEvent.@Nullable Handed request, boolean last) {
    server = made; // write-then-check with end: server first, then the state
    if (state == Step.OPEN) {
      made.begin(request, last);
    } else {
      made.abandon();
    }
  }

  /** The {@code :authority} of the call. */
  String authority() {
    return start.authorityOn(connection);
  }

  /**
   * Watches this deadline, if it is set, from now on and in place of an earlier one. Most calls
   * that are served on their caller's thread have ended by then, and need no timer. For the others,
   * the handler may have used a part of the time.
   */
  void watch(ServerDeadline deadline) {
    if (deadline.isSet() && state == Step.OPEN) {
      cancelTimer();
      CallTimer started = CallTimer.start(this, deadline);
      timer = started; // write-then-check with end and move: timer first, then the state
      if (state != Step.OPEN) {
        started.cancel();
      }
    }
  }

  /**
   * The server's limit is over. The status comes behind what the client has not read yet. On the
   * delivering thread.
   */
  void onServersLimit(ServerDeadline deadline) {
    if (state == Step.OPEN) {
      Status late = deadline.lateStatus();
      end(CallEvent.Closed.bare(late), late);
      if (state == Step.ANSWERED && isResponseUnread()) {
        timer = CallTimer.start(this, deadline.withGrace());
      }
    }
  }

  /** The end does not wait any longer until the client reads. On the delivering thread. */
  void onGraceOver(Status late) {
    if (state == Step.ANSWERED && isResponseUnread()) {
      overtakeEnd(late);
    }
  }

  private boolean isResponseUnread() {
    InProcessServerStream<?, ?> to = server;
    return to != null && to.isResponseUnread();
  }

  @Override
  public void cancel(Status status) {
    execute(() -> onCancel(status));
  }

  /** The server's status may still wait behind unread messages: this end overtakes it. */
  private void onCancel(Status status) {
    if (state instanceof Moved moved) {
      moved.to().cancel(status);
    } else if (state == Step.ANSWERED) {
      overtakeEnd(status);
    } else {
      end(CallEvent.Closed.atOnce(status), CANCELLED_BY_CLIENT);
    }
  }

  private void overtakeEnd(Status status) {
    state = Step.ENDED;
    cancelTimer();
    events.add(CallEvent.Closed.atOnce(status));
    flushEvents();
  }

  /** Ends the call for both sides, for an external reason. Any thread. */
  void endBoth(Status toClient, Status toServer) {
    execute(() -> end(CallEvent.Closed.atOnce(toClient), toServer));
  }

  /**
   * Delivers the end to the client.
   *
   * @param toServer the status for the server; null if it needs none
   */
  private void end(CallEvent.Closed closed, @Nullable Status toServer) {
    if (state == Step.OPEN) {
      state = closed.order() == CallEvent.Order.BEHIND_MESSAGES ? Step.ANSWERED : Step.ENDED;
      InProcessServerStream<?, ?> to = server;
      boolean waited = to != null && stopWaiting(to);
      events.add(closed); // tells of the wait
      if (to != null && toServer != null) {
        to.execute(() -> to.end(toServer));
      }
      if (to != null && waited) {
        to.abandon();
      }
      onEnded();
    }
  }

  private void end(CallEvent.Handed wholeResponse) {
    state = Step.ANSWERED;
    events.addWholeResponse(wholeResponse);
    onEnded();
  }

  private void onEnded() {
    cancelTimer();
    InProcessServerStream<?, ?> to = server;
    if (to != null) {
      to.onClientOver(); // before the listener is notified, which may wait for that
    }
    flushEvents();
  }

  /**
   * Returns whether the call waited for a permit; then nobody else will begin or end its stream.
   */
  private boolean stopWaiting(InProcessServerStream<?, ?> to) {
    OptionalLong sinceNanos = leaveQueue(to);
    sinceNanos.ifPresent(events::onWaitedForStream);
    return sinceNanos.isPresent();
  }

  /** Returns since when the call waited for a permit, if it did; then it is this thread's. */
  private OptionalLong leaveQueue(InProcessServerStream<?, ?> to) {
    CallPermits permits = connection.permits();
    return permits == null || !to.isWaiting() ? OptionalLong.empty() : permits.forget(to);
  }

  /** Calls may use other connections, too: a served call gets this listener. Any thread. */
  void replaceListenerIfServed(UnaryOperator<ClientCallEventListener> replacement) {
    execute(() -> {
      if (!isWaiting()) {
        replaceListener(replacement);
      }
    });
  }

  private void replaceListener(UnaryOperator<ClientCallEventListener> replacement) {
    if (state == Step.OPEN) {
      events = replacement.apply(events);
    }
  }

  /** Calls may use other connections, too: a call that waits moves if it may. Any thread. */
  void spread(UnaryOperator<ClientCallEventListener> replacement) {
    execute(() -> spreadHere(replacement));
  }

  /** If it has a permit by now, or stays in the queue, it gets this listener. */
  private void spreadHere(UnaryOperator<ClientCallEventListener> replacement) {
    InProcessServerStream<?, ?> to = server;
    OptionalLong sinceNanos = to == null ? OptionalLong.empty() : leaveQueue(to);
    if (to == null || sinceNanos.isEmpty()) {
      replaceListener(replacement);
    } else if (state != Step.OPEN) {
      to.abandon(); // it has ended before it joined the queue
    } else if (tryMove(FULL)) {
      events.onWaitedForStream(sinceNanos.getAsLong());
      to.abandon();
    } else {
      replaceListener(replacement);
      waitAgain(to, sinceNanos.getAsLong());
    }
  }

  private void waitAgain(InProcessServerStream<?, ?> to, long sinceNanos) {
    CallPermits permits = connection.permits();
    if (permits != null) {
      permits.waitAgain(to, sinceNanos);
    }
  }

  /** The call has waited since then for a permit, and does not any more. Any thread. */
  void onWaited(long sinceNanos) {
    execute(() -> {
      if (state == Step.OPEN) {
        events.onWaitedForStream(sinceNanos);
      }
    });
  }

  /** Whether it waits for a permit. Any thread. */
  boolean isWaiting() {
    InProcessServerStream<?, ?> to = server;
    return to != null && to.isWaiting();
  }

  private void cancelTimer() {
    CallTimer started = timer;
    if (started != null) {
      started.cancel();
    }
  }

  /** An event from the server. Any thread, one at a time, in order. */
  void respond(
      @Nullable Metadata headers,
      CallEvent.@Nullable Handed response,
      CallEvent.@Nullable Closed closed) {
    if (!enter()) {
      execute(() -> onResponse(headers, response, closed));
      return;
    }
    try {
      onResponse(headers, response, closed);
    } finally {
      leave();
    }
  }

  private void onResponse(
      @Nullable Metadata headers,
      CallEvent.@Nullable Handed response,
      CallEvent.@Nullable Closed closed) {
    if (state != Step.OPEN) {
      if (response != null) {
        drop();
      }
      return;
    }
    if (closed == InProcessServerStream.OK
        && response != null
        && headers == null
        && !headersDelivered) {
      end(response);
      return;
    }
    if (isOverLimit(headers, closed)) {
      end(CallEvent.Closed.atOnce(CallStatuses.OVERSIZED_RESPONSE_METADATA), RESPONSE_REFUSED);
      return;
    }
    if (!headersDelivered && (headers != null || response != null)) {
      headersDelivered = true;
      events.add(new CallEvent.Headers(headers));
    }
    if (response != null) {
      events.add(response);
    }
    if (closed != null) {
      end(closed == InProcessServerStream.OK ? CallEvent.Closed.bare(Status.OK) : closed, null);
    } else {
      flushEvents();
    }
  }

  /** A response has come after the end of the call: nobody will read it. */
  private void drop() {
    InProcessServerStream<?, ?> from = server;
    if (from != null) {
      from.onResponseDropped();
    }
  }

  /** The server has sent something that this client does not accept. Any thread. */
  void refuseResponse(Status why) {
    endBoth(why, RESPONSE_REFUSED);
  }

  private boolean isOverLimit(@Nullable Metadata headers, CallEvent.@Nullable Closed closed) {
    int limit = connection.clientMetadataBytes();
    return (headers != null && CarriedMetadata.overlongHeaders(headers, limit).isPresent())
        || (closed != null
            && CarriedMetadata.overlongTrailers(closed.status(), closed.trailers(), limit)
                .isPresent());
  }

  /**
   * Listeners run on this thread, which may be the one on which they started the call. If its stack
   * has become too deep, another thread continues.
   */
  private void flushEvents() {
    NestingLimit nesting = NestingLimit.ofThread();
    if (!nesting.enter()) {
      connection.scheduler().offload(() -> execute(this::flushEvents));
      return;
    }
    try {
      flushHere();
    } finally {
      nesting.leave();
    }
  }

  /** This may be a handler's thread; listeners run without a current call. */
  private void flushHere() {
    if (CallParent.current().isPresent()) {
      CallContext.runDetached(events::flush);
    } else {
      events.flush();
    }
  }

  /** The call is not carried here: it continues elsewhere, or ends for this reason. */
  private void move(Status why) {
    if (state == Step.OPEN && !tryMove(why)) {
      end(CallEvent.Closed.atOnce(why), null);
    }
  }

  private boolean tryMove(Status why) {
    Optional<RetryTarget> target = events.onNotProcessed(NotProcessed.NOT_SENT, why);
    if (target.isEmpty()) {
      return false;
    }
    state = new Moved(target.get());
    cancelTimer();
    return true;
  }

  /** The connection does not carry the call, or not any longer. Any thread. */
  void onNotCarried(Status why) {
    execute(() -> move(why));
  }

  /** Like {@link #onNotCarried}, for commands to a server's stream that serves nothing. */
  void forwardLater(CallEvent.@Nullable Handed request, boolean last) {
    execute(() ->
        forwardGuarded(
            () -> request == null ? null : request.take(start.method().requestMarshaller()), last));
  }

  /** What a marshaller throws ends the call: this thread may belong to others. */
  private void forwardGuarded(Supplier<@Nullable Q> sent, boolean last) {
    if (state instanceof Moved moved) {
      try {
        forward(sent.get(), last);
      } catch (StatusException e) {
        moved.to().cancel(e.status());
      } catch (Throwable e) {
        moved
            .to()
            .cancel(Status.INTERNAL.withDescription("the message cannot be sent").withCause(e));
      }
    }
  }

  /** Commands for a call that continues elsewhere are forwarded. */
  @SuppressWarnings("unchecked") // all attempts of a call send the same messages
  private void forward(@Nullable Q sent, boolean last) {
    if (state instanceof Moved moved) {
      moved
          .to()
          .send(stream -> {
            if (sent != null) {
              ((ClientStream<Q>) stream).send(sent, false);
            }
            if (last) {
              stream.halfClose();
            }
            stream.flush();
          });
    }
  }

  @Override
  public boolean isReady() {
    return state == Step.OPEN && unread < MAX_UNREAD;
  }

  /** The server has taken a request. */
  void onRequestTaken() {
    if (!start.method().type().clientSendsOneMessage()
        && UNREAD.getAndDecrement(this) == MAX_UNREAD) {
      execute(this::deliverReady);
    }
  }

  private void deliverReady() {
    if (state == Step.OPEN) {
      events.add(new CallEvent.Ready());
      flushEvents();
    }
  }

  @Override
  public void consumed(int heldBytes) {
    InProcessServerStream<?, ?> to = server;
    if (to != null) {
      to.onResponseTaken();
    }
  }

  @Override
  public void requested() {}

  /** Both sides are over. */
  void leaveConnection() {
    connection.leave(slot);
  }

  /** The handler of the call has ended, too. */
  void giveBackPermit() {
    CallPermits permits = connection.permits();
    if (permits != null) {
      permits.giveBack();
    }
  }

  InProcessConnection inProcess() {
    return connection;
  }

  @Override
  public ConnectionInfo connection() {
    return connection.info();
  }

  CallStart<Q, R> start() {
    return start;
  }

  Metadata requestHeaders() {
    return CarriedMetadata.copy(start.headers());
  }

  boolean isOver() {
    return state != Step.OPEN;
  }

  /**
   * The server's status as the client sees it: as if it had been sent over a network. Details of
   * another call are not passed: the client would take the server of that for its own.
   */
  Status carried(Status status) {
    Status seen = status.failure().isPresent() ? status.withFailure(null) : status;
    if (seen.cause().isPresent()) { // always a copy: a server knows the status that it made
      seen = seen.withCause(connection.passesCauses() ? seen.cause().orElse(null) : null);
    }
    String words = seen.description().orElse(null);
    String carried = words == null ? null : CarriedMetadata.description(words);
    return Objects.equals(words, carried) ? seen : seen.withDescription(carried);
  }

  @Override
  public String toString() {
    return "call of " + Objects.toString(start.method().fullMethodName());
  }
}
