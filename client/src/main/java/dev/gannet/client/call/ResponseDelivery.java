package dev.gannet.client.call;

import dev.gannet.api.ClientCall;
import dev.gannet.api.ForwardingClientCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.engine.ChannelCall;
import dev.gannet.api.engine.StubListener;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallInbox;
import dev.gannet.transport.GuardedLog;
import dev.gannet.transport.memory.ParsingTurns;
import java.lang.System.Logger;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Delivers events to a call's listener, and checks the rules of the response: a single message if
 * the method says so, readable messages, and no event after the end.
 *
 * <pre>
 *   OPEN ──a fault of the response or listener──► BROKEN (only the end is delivered)
 *     └────────────────end──────────► ENDED ◄─────end──┘
 * </pre>
 *
 * <p>It is also the call's inbox, and gets one event at a time; its fields belong to the delivering
 * thread, except for volatile ones, which other threads read.
 *
 * <p>It is the superclass of {@link OutgoingCall}, which sends: the two share no field, and one
 * object for both saves 24 bytes per call (ADR 61).
 */
abstract sealed class ResponseDelivery<R> extends CallInbox implements ChannelCall
    permits OutgoingCall {
  private static final Logger LOG = System.getLogger(ResponseDelivery.class.getName());

  /** What is delivered from now on. */
  private sealed interface State {
    /** All events. */
    record Open() implements State {}

    /** Only the end, and this is its status. */
    record Broken(Status fault) implements State {}

    /** Nothing: the listener is notified of the end. */
    record Ended() implements State {}
  }

  // There is a delivery for each call, and only a broken one needs a state of its own.
  private static final State OPEN = new State.Open();
  private static final State ENDED = new State.Ended();

  // Parts of a whole response; never put into an inbox, so one object is enough for all calls.
  private static final CallEvent.Headers NO_HEADERS = new CallEvent.Headers(null);
  private static final CallEvent.Closed ANSWERED = CallEvent.Closed.bare(Status.OK);

  /** A number of messages that is too many for a single response. */
  private static final byte TOO_MANY = 2;

  private ClientCall.@Nullable Listener<? super R> listener;

  /** The number of messages, counted up to {@link #TOO_MANY}. */
  private byte responses;

  private State state = OPEN;
  private volatile boolean endHeld;
  private volatile boolean responseCompressed;

  // What the call provides.

  abstract MethodDescriptor<?, R> method();

  /** The executor that runs the listener. */
  abstract Executor executor();

  /** No stream watches the deadline from now on. Called on any thread, so it must be fast. */
  abstract void watchDeadline();

  /** The call needs no deadline any more. */
  abstract void stopDeadline();

  /** The application takes a message of this size, perhaps before all buffered ones are sent. */
  abstract void onMessageTaken(int heldBytes);

  /** Ends the call with this status, in whatever state it is. Any thread. */
  abstract void cancelWith(Status status);

  /** The listener is notified of the end next. */
  abstract void onEndDelivered(Status status, Metadata trailers);

  // What it does.

  /**
   * The call starts next.
   *
   * @throws IllegalStateException if it has its listener already
   */
  final void requireUnstarted() {
    ClientCall.Listener<? super R> known = listener;
    if (known != null
        && !(known instanceof InterceptedListener<?> intercepted && !intercepted.isStarted())) {
      throw new IllegalStateException("the call was already started");
    }
  }

  /** Sets the listener, once: from now on the call has started. */
  @SuppressWarnings("unchecked") // setCaller has made it
  final void deliverTo(ClientCall.Listener<? super R> listener) {
    if (this.listener == null) {
      this.listener = listener;
    } else {
      ((InterceptedListener<R>) this.listener).start(listener);
    }
  }

  @Override
  public final void setCaller(StubListener caller) {
    if (listener == null) {
      listener = new InterceptedListener<R>(caller);
    }
  }

  /** Whether the server has ended the call, and the end waits for the reader. Any thread. */
  final boolean isEndHeld() {
    return endHeld;
  }

  /**
   * Whether that end waits and no other has overtaken it: what is sent is dropped, and nobody needs
   * to wait until it may be sent. Any thread.
   */
  final boolean isOnlyReadingLeft() {
    return endHeld && !hasArrivals();
  }

  /** Whether the last delivered message was compressed. Any thread. */
  public final boolean isResponseCompressed() {
    return responseCompressed;
  }

  private boolean isSingleResponse() {
    return method().type().serverSendsOneMessage();
  }

  /** The connection no longer watches the deadline of a call that its server has ended. */
  @Override
  protected final void onEndHeld() {
    boolean first = !endHeld;
    endHeld = true;
    watchDeadline();
    if (first && !method().type().clientSendsOneMessage()) {
      receive(
          new CallEvent
              .Ready()); // a caller that waits until it can send gets no other event before the end
    }
  }

  @Override
  protected final void execute() {
    executor().execute(this);
  }

  @Override
  protected final void receive(CallEvent event) {
    if (event instanceof CallEvent.Message message && message.isWholeResponse()) {
      receiveWhole(message);
    } else {
      receiveOne(event);
    }
  }

  /** Delivers the parts of the response, until an end has overtaken the rest. */
  private void receiveWhole(CallEvent.Message response) {
    receiveOne(NO_HEADERS);
    if (!hasArrivals()) {
      receiveOne(response);
    }
    if (!hasArrivals()) {
      receiveOne(ANSWERED);
    }
  }

  private void receiveOne(CallEvent event) {
    ClientCall.Listener<? super R> receiver = listener;
    if (receiver == null) {
      return;
    }
    State now = state; // no switch: its set-up would delay the first call
    if (now instanceof State.Open
        || (now instanceof State.Broken && event instanceof CallEvent.Closed)) {
      deliver(event, receiver);
    }
  }

  private void deliver(CallEvent event, ClientCall.Listener<? super R> receiver) {
    try {
      switch (event.kind()) {
        case MESSAGE -> onMessage((CallEvent.Message) event, receiver);
        case CLOSED -> onClosed((CallEvent.Closed) event, receiver);
        case HEADERS -> receiver.onHeaders(((CallEvent.Headers) event).metadata());
        case READY -> receiver.onReady();
        case HALF_CLOSED -> {} // a server does not provide it
      }
    } catch (Throwable e) {
      if (state instanceof State.Ended) {
        onEndThrew(e, receiver);
        return;
      }
      breakCall(
          Status.CANCELLED
              .withDescription(
                  "a listener (of the application or an interceptor) threw an exception")
              .withCause(e));
    }
  }

  /**
   * No event follows the end. The caller of a generated client may still wait for it, if an
   * interceptor has thrown before it has forwarded it; others see the exception where they run
   * their listener.
   */
  private void onEndThrew(Throwable thrown, ClientCall.Listener<? super R> first) {
    String what = "a listener threw an exception at the end of " + method().fullMethodName();
    GuardedLog.warn(LOG, what, thrown);
    Object last = first instanceof InterceptedListener<?> known ? known.caller() : lastOf(first);
    if (last.equals(first)
        || !(last instanceof StubListener)
        || !(last instanceof ClientCall.Listener<?> caller)) {
      throw new ListenerFailure(what, thrown);
    }
    caller.onClose(
        Status.CANCELLED
            .withDescription("the listener of an interceptor threw an exception at the end")
            .withCause(thrown),
        new Metadata());
  }

  private static ClientCall.Listener<?> lastOf(ClientCall.Listener<?> first) {
    ClientCall.Listener<?> last = first;
    while (last instanceof ForwardingClientCallListener<?> forwarding) {
      last = forwarding.delegate();
    }
    return last;
  }

  private void onMessage(CallEvent.Message message, ClientCall.Listener<? super R> receiver) {
    onMessageTaken(message.heldBytes());
    boolean compressed = message.encoding() != MessageEncoding.IDENTITY;
    if (responseCompressed != compressed) { // a volatile write costs each message a fence
      responseCompressed = compressed;
    }
    if (responses < TOO_MANY) {
      responses++;
    }
    if (isSingleResponse() && responses == TOO_MANY) {
      breakCall(
          Status.UNIMPLEMENTED.withDescription(
              "the server sent more than one response message; this method allows one"));
      return;
    }
    R parsed;
    try {
      parsed = message.take(method().responseMarshaller());
    } catch (StatusException e) {
      if (!e.status().equals(ParsingTurns.NOT_WANTED)) { // otherwise the call's end says why
        breakCall(e.status());
      }
      return;
    } catch (RuntimeException e) {
      String what = "a response message of " + method().fullMethodName() + " cannot be parsed";
      breakCall(Status.INTERNAL.withDescription(what).withCause(e));
      return;
    }
    receiver.onMessage(parsed);
  }

  private void breakCall(Status why) {
    state = new State.Broken(why);
    cancelWith(why);
  }

  private Status endOf(CallEvent.Closed closed) {
    return state instanceof State.Broken broken && !isThrown(closed.status(), broken.fault())
        ? broken.fault()
        : closed.status();
  }

  /** Whether the listener has thrown what it got for a message, which had ended the call. */
  private boolean isThrown(Status end, Status fault) {
    return fault.cause().orElse(null) instanceof StatusException thrown
        && thrown.failedCall().equals(Optional.of(method().fullMethodName()))
        && thrown.status().code() == end.code()
        && thrown.status().description().equals(end.description());
  }

  private void onClosed(CallEvent.Closed closed, ClientCall.Listener<? super R> receiver) {
    Status status = endOf(closed);
    state = ENDED;
    if (endHeld) {
      endHeld = false;
    }
    stopDeadline();
    if (status.isOk() && isSingleResponse() && responses == 0) {
      status =
          Status.UNIMPLEMENTED.withDescription(
              "the server ended the call with OK but sent no response message");
    }
    Metadata trailers = closed.trailers();
    onEndDelivered(status, trailers);
    receiver.onClose(status, trailers);
  }
}
