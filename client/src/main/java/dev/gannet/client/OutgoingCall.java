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
import dev.gannet.transport.CallEvents;
import dev.gannet.transport.CallInbox;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.ClientTransport;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One call in the client's engine: between the caller and the stream that carries it.
 *
 * <pre>
 *   NEW ──start──► WAITING (for a connection) ──startOn──► STARTED ──► CLOSED
 *                     └──── cancel, deadline, no connection ───────────▲
 * </pre>
 *
 * <p>Orders given while WAITING are kept in {@link HeldOrders} and played to the stream when there
 * is one. Orders and events may meet on different threads; what the listener sees goes through the
 * inbox, one event at a time.
 */
final class OutgoingCall<Q, R> implements ClientCall<Q, R>, CallEvents, CallInbox.Receiver {
  private final ChannelSettings settings;
  private final Subchannel subchannel;
  private final MethodDescriptor<Q, R> method;
  private final CallOptions options;
  private final CallInbox inbox;
  private final HeldOrders<Q> orders = new HeldOrders<>();
  private final boolean singleResponse;

  private @Nullable Listener<? super R> listener;
  private @Nullable CallStart<Q, R> start;
  private @Nullable WaitingDeadline waitingDeadline;
  private boolean messageCompression = true;
  private boolean requested;
  private boolean halfClosed;
  private volatile boolean responseCompressed;

  // The inbox's.
  private int responses;
  private @Nullable Status fault;
  private @Nullable WaitingDeadline readingDeadline;
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
    this.singleResponse = method.type().serverSendsOneMessage();
    Executor executor = options.executor().orElse(settings.executor());
    this.inbox = new CallInbox(executor, this);
  }

  @Override
  public void start(Listener<? super R> listener, Metadata headers) {
    if (this.listener != null) {
      throw new IllegalStateException("the call was started before");
    }
    this.listener = listener;
    options.metadata().ifPresent(headers::merge);
    Optional<Deadline> deadline = deadline();
    start =
        new CallStart<>(
            method,
            options.authority().orElse(settings.authority()),
            headers,
            deadline,
            encoding(),
            options.maxInboundMessageBytes().orElse(settings.maxInboundMessageBytes()),
            options.maxOutboundMessageBytes().orElse(Integer.MAX_VALUE));
    if (deadline.isPresent() && deadline.get().isExpired()) {
      failBeforeStart(
          Status.DEADLINE_EXCEEDED.withDescription("the deadline had passed before the start"));
      return;
    }
    subchannel.pick(this);
    if (!method.type().clientSendsOneMessage()) {
      orders.flush();
    }
    if (!orders.isLedOn() && deadline.isPresent()) {
      waitingDeadline =
          WaitingDeadline.watch(settings.pipes(), deadline.get(), this::onWaitingDeadline);
    }
  }

  private MessageEncoding encoding() {
    String name = options.compression().orElse(MessageEncoding.IDENTITY.wireName());
    return MessageEncoding.of(name)
        .orElseThrow(() -> new IllegalArgumentException("unknown compression: " + name));
  }

  /**
   * The earliest of what the options say and what is left to the call that is being served here.
   */
  private Optional<Deadline> deadline() {
    Optional<Deadline> own = options.deadline();
    if (options.timeout().isPresent()) {
      own =
          Optional.of(
              earlier(own, Deadline.after(options.timeout().get(), settings.pipes()::nanoTime)));
    }
    Optional<CallContext> served = CallContext.current();
    return served.isPresent() && served.get().deadline().isPresent()
        ? Optional.of(earlier(own, served.get().deadline().get()))
        : own;
  }

  private static Deadline earlier(Optional<Deadline> one, Deadline other) {
    return one.isPresent() ? one.get().min(other) : other;
  }

  boolean waitsForReady() {
    return options.waitForReady();
  }

  /** There is a connection: what was ordered so far goes to it. */
  void startOn(ClientTransport transport) {
    ClientStream<Q> stream = transport.open(Objects.requireNonNull(start), this);
    boolean led;
    try {
      led = orders.leadTo(stream);
    } catch (StatusException e) {
      stream.cancel(e.status());
      return;
    } catch (RuntimeException | Error e) {
      stream.cancel(Status.INTERNAL.withDescription("the call cannot begin").withCause(e));
      return;
    }
    if (led && !singleResponse) {
      stream.requested(); // who asked until now could not tell it
    }
    if (led && !method.type().clientSendsOneMessage()) {
      inbox.add(new CallEvent.Ready());
      flush();
    }
  }

  /** There will be no connection for the call. */
  void failBeforeStart(Status status) {
    if (orders.drop()) {
      add(CallEvent.Closed.atOnce(status));
      flush();
    }
  }

  /** The deadline passed while the call waited for a connection. */
  private void onWaitingDeadline() {
    subchannel.forget(this);
    failBeforeStart(
        Status.DEADLINE_EXCEEDED.withDescription(
            "deadline exceeded, waiting for a connection to " + settings.target()));
  }

  /** The connection no longer watches the deadline of a call that its server has ended. */
  @Override
  public void onEndHeld() {
    Optional<Deadline> deadline = Objects.requireNonNull(start).deadline();
    if (readingDeadline != null || deadline.isEmpty()) {
      return;
    }
    try {
      readingDeadline =
          WaitingDeadline.watch(settings.pipes(), deadline.get(), this::onReadingDeadline);
    } catch (RejectedExecutionException e) {
      onReadingDeadline(); // better now than never
    }
  }

  private void onReadingDeadline() {
    cancelWith(
        Status.DEADLINE_EXCEEDED.withDescription("deadline exceeded, waiting for its reader"));
  }

  @Override
  public void request(int messages) {
    if (messages <= 0) {
      throw new IllegalArgumentException("request of " + messages + " messages");
    }
    if (!singleResponse) {
      requestOfInbox(messages);
      orders.stream().ifPresent(ClientStream::requested);
    } else if (!requested) {
      requested = true;
      requestOfInbox(2); // a second response is a fault that must be seen, asked for or not
    }
  }

  @Override
  public boolean isMessageRequested() {
    return singleResponse || inbox.isMessageRequested();
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

  private void cancelWith(Status status) {
    Optional<ClientStream<Q>> stream = orders.stream();
    if (stream.isPresent()) {
      stream.get().cancel(status);
    } else {
      subchannel.forget(this);
      failBeforeStart(status);
      orders.cancel(status); // if there is a stream by now after all
    }
  }

  @Override
  public boolean isReady() {
    return orders.stream().map(ClientStream::isReady).orElse(false);
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
    inbox.deliverHere();
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
      switch (event) {
        case CallEvent.Headers headers -> to.onHeaders(headers.metadata());
        case CallEvent.Message message -> onMessage(message, to);
        case CallEvent.Ready ready -> to.onReady();
        case CallEvent.HalfClosed halfClosed ->
            throw new AssertionError("a client is not told of half-close");
        case CallEvent.Closed closed -> onClosed(closed, to);
      }
    } catch (Throwable e) {
      breakCall(Status.CANCELLED.withDescription("the listener failed").withCause(e));
    }
  }

  private void onMessage(CallEvent.Message message, Listener<? super R> to) {
    orders.stream().ifPresent(stream -> stream.consumed(message.heldBytes()));
    responseCompressed = message.encoding() != MessageEncoding.IDENTITY;
    responses++;
    if (singleResponse && responses > 1) {
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
    if (waitingDeadline != null) {
      waitingDeadline.cancel();
    }
    if (readingDeadline != null) {
      readingDeadline.cancel();
    }
    Status status = fault != null ? fault : closed.status();
    if (status.isOk() && singleResponse && responses == 0) {
      status = Status.UNIMPLEMENTED.withDescription("no response message");
    }
    to.onClose(status, closed.trailers());
  }
}
