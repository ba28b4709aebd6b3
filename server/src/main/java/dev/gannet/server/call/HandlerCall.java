package dev.gannet.server.call;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Registration;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.engine.HandlerFailures;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.transport.ServerStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The call that a handler holds: headers, messages and the end that a handler sends pass through
 * here to the stream, and are checked against the rules of the method.
 *
 * <pre>
 *   NOTHING ──sendHeaders──► HEADERS ──sendMessage──► MESSAGES
 *      └──────────────────sendMessage────────────────────▲
 * </pre>
 *
 * <p>The {@link HandlerCallState} of its {@link IncomingCall} knows whether the call was answered;
 * after that nothing is sent. Only {@link #request}, {@link #isReady}, {@link #isCancelled}, {@link
 * #end} and {@link #onCancelled} may be called from several threads at once.
 */
final class HandlerCall<Q, R> extends HandlerContext<Q, R>
    implements ServerCall<Q, R>, Runnable, HandlerFailures {
  private static final Logger LOG = System.getLogger(HandlerCall.class.getName());

  /** The part of the response that was sent. */
  private enum Sent {
    NOTHING,
    HEADERS,
    MESSAGES
  }

  private Sent sent = Sent.NOTHING;

  /** The status of the close, which interceptors may have changed; null until then. */
  private @Nullable Status closedWith;

  HandlerCall(IncomingCall<Q, R> call) {
    super(call);
  }

  @Override
  public MethodDescriptor<Q, R> method() {
    return call.method();
  }

  @Override
  public CallContext context() {
    return this;
  }

  /** Delivers the available events; runs with this as the current call. */
  @Override
  public void run() {
    call.deliverAsCurrent();
  }

  @Override
  public void request(int messages) {
    if (messages <= 0) {
      throw new IllegalArgumentException(
          "the number of requested messages must be positive: " + messages);
    }
    call.request(messages);
    if (!method().type().clientSendsOneMessage()) {
      call.stream().requested();
    }
  }

  @Override
  public void sendHeaders(Metadata headers) {
    Objects.requireNonNull(headers, "headers");
    requireNothingSent("the response headers were already sent");
    if (!call.isOpen()) {
      return;
    }
    sent = Sent.HEADERS;
    call.stream().sendHeaders(headers, encoding());
    if (!method().type().serverSendsOneMessage()) {
      call.stream().flush();
    }
  }

  private void requireNothingSent(String fault) {
    if (sent != Sent.NOTHING) {
      throw new IllegalStateException(fault);
    }
  }

  @Override
  public boolean hasSentHeaders() {
    return sent != Sent.NOTHING;
  }

  /** The stream sends empty headers with the first message. */
  @Override
  public boolean expectsHeaders() {
    return false;
  }

  @Override
  public void sendMessage(R message) {
    if (!call.isOpen()) {
      return;
    }
    if (message == null) {
      String fault =
          "the handler of "
              + method().fullMethodName()
              + " returned or sent null instead of a response message";
      LOG.log(Level.WARNING, fault);
      throw mistake(fault);
    }
    boolean single = method().type().serverSendsOneMessage();
    if (single && sent == Sent.MESSAGES) {
      throw mistake(
          "the handler of "
              + method().fullMethodName()
              + " sent more than one response message; this method allows one");
    }
    sent = Sent.MESSAGES;
    write(message, single ? ServerStream.Flush.WITH_STATUS : ServerStream.Flush.NOW);
  }

  private StatusException mistake(String fault) {
    StatusException mistake = Status.INTERNAL.withDescription(fault).asException();
    onUnsent(mistake);
    return mistake;
  }

  /** What is thrown inside an event ends the call by itself. */
  private void failIfNobodyWill(StatusException thrown) {
    if (!call.isDeliveringHere()) {
      fail(thrown.status(), withResponseTrailers(thrown.trailers()));
    }
  }

  /**
   * A message that cannot be sent ends the call: inside an event like any exception of a handler,
   * and otherwise here. The peer only learns of the failure, not of its cause, so the cause is
   * logged here.
   */
  private void write(R message, ServerStream.Flush flush) {
    CallExtras extras = madeExtras();
    try {
      if (extras == null) {
        call.send(message, MessageEncoding.IDENTITY, false, flush);
      } else {
        call.send(message, extras.encoding(), extras.isMessageCompressed(), flush);
      }
    } catch (StatusException e) {
      onUnsent(e);
      e.status()
          .cause()
          .ifPresent(cause ->
              LOG.log(
                  Level.WARNING,
                  "a response of " + method().fullMethodName() + " cannot be written",
                  cause));
      throw e;
    } catch (RuntimeException | Error e) { // of a marshaller, or for want of memory
      onUnsent(
          Status.INTERNAL
              .withDescription("a response cannot be written")
              .withCause(e)
              .asException());
      throw e;
    }
  }

  private void onUnsent(StatusException why) {
    extras().setUnsent(why.status());
    failIfNobodyWill(why);
  }

  @Override
  public void close(Status status, Metadata trailers) {
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(trailers, "trailers");
    if (call.answer()) {
      sendEnd(status, trailers);
    }
  }

  @Override
  public void close(Status status) {
    Objects.requireNonNull(status, "status");
    if (call.answer()) {
      sendEnd(status, addedResponseTrailers());
    }
  }

  /**
   * The transport notifies the handler's listener, as it does when a deadline has passed. The
   * reason is set first, because the state makes it visible.
   */
  @Override
  public void end(Status status, Metadata trailers) {
    if (status.isOk()) {
      throw new IllegalArgumentException(
          "a call cannot be ended with OK while its handler runs; the handler closes it with OK");
    }
    Metadata sent = trailers.copy(); // sent later, on another thread
    if (call.isOpen() && extras().trySetCancellation(status)) {
      if (call.tryEnd()) {
        call.sendEarlyEnd(status, sent);
      } else {
        extras().takeBackCancellation(status);
      }
    }
  }

  /** A call is not closed with OK if a response could not be sent, even if that was caught. */
  private void sendEnd(Status wanted, Metadata trailers) {
    CallExtras made = madeExtras();
    @Nullable Status unsent = made == null ? null : made.unsent();
    Status status = wanted.isOk() && unsent != null ? unsent : wanted;
    closedWith = status;
    boolean missing =
        status.isOk() && method().type().serverSendsOneMessage() && sent != Sent.MESSAGES;
    Status delivered =
        missing
            ? Status.INTERNAL.withDescription(
                "the handler ended the call with OK and without a response")
            : status;
    try {
      call.sendAnswer(delivered, trailers);
    } catch (RejectedExecutionException e) {
      call.endHandler(); // wakes the loop once more: the call is not closed twice
    }
    call.wakeWaiters();
    endExtras();
  }

  /** Write-then-check with {@link #onServerDraining}: the call's state first, then the extras. */
  private void endExtras() {
    CallExtras extras = madeExtras();
    if (extras != null) {
      extras.end();
    }
  }

  @Override
  public boolean onThrown(Throwable thrown, Consumer<Throwable> close) {
    boolean inEvent = call.isDeliveringHere();
    if (inEvent) {
      extras().setThrown(thrown, close);
    }
    return inEvent;
  }

  /** An event has thrown. */
  void onEventThrew(Throwable thrown) {
    CallExtras extras = madeExtras();
    CallExtras.ThrownByMethod byMethod = extras == null ? null : extras.takeThrown();
    try {
      if (byMethod != null && !isAnswered()) {
        byMethod.close().accept(thrown);
      }
    } finally {
      HandlerFailure.end(this, thrown);
    }
  }

  /** An event has ended without an exception; an interceptor may have caught a method's. */
  void onEventEnded() {
    CallExtras extras = madeExtras();
    CallExtras.ThrownByMethod caught = extras == null ? null : extras.takeThrown();
    if (caught != null && !isAnswered()) {
      try {
        caught.close().accept(caught.thrown());
      } finally {
        HandlerFailure.end(this, caught.thrown());
      }
    }
  }

  @Override
  public void fail(Throwable thrown) {
    HandlerFailure.end(this, Objects.requireNonNull(thrown, "thrown"));
  }

  /**
   * Ends the call because its handler threw an exception. Code that waits inside the handler is
   * woken and learns that its call has ended; until the handler returns, the call is not over. If
   * the call was closed with a failure before, the exception is most likely the reason: the call
   * counts as cancelled all the same. A response that was sent stands.
   */
  void fail(Status status, Metadata trailers) {
    if (isAnsweredWithOk()) {
      return;
    }
    if (call.fail()) {
      if (call.isNestedHere()) {
        Status failure =
            status.isOk()
                ? Status.INTERNAL.withDescription(
                    "the handler threw a StatusException with status OK")
                : status;
        call.sendFailure(failure, trailers);
      } else {
        sendEnd(status, trailers);
      }
    }
    call.notifyOfCancellation();
  }

  @Override
  public boolean isReady() {
    return call.isOpen() && call.stream().isReady();
  }

  @Override
  public boolean isCancelled() {
    return call.isCancelled();
  }

  @Override
  public Registration onCancelled(Runnable action) {
    Objects.requireNonNull(action, "action");
    PendingActions actions = extras().cancelActions();
    Registration registration = actions.add(action);
    // write-then-check with IncomingCall.notifyOfCancellation: the action first, then notified
    if (call.isCancellationNotified()) {
      actions.fire();
    }
    return registration;
  }

  @Override
  public Optional<Status> cancellation() {
    CallExtras extras = madeExtras();
    return extras == null || !isCancelled()
        ? Optional.empty()
        : Optional.ofNullable(extras.cancellation());
  }

  @Override
  public boolean isServerDraining() {
    return call.draining().hasBegun();
  }

  @Override
  public Registration onServerDraining(Runnable action) {
    CallExtras extras = extras();
    Registration registration =
        extras.closeAtEnd(call.draining().add(Objects.requireNonNull(action, "action")));
    // write-then-check with endExtras: the registration first, then the state of the call
    if (call.isAnswered() || isCancelled()) {
      extras.end();
    }
    return registration;
  }

  boolean isAnswered() {
    return call.isAnswered();
  }

  /** Whether the call was closed with OK. */
  boolean isAnsweredWithOk() {
    return closedWith != null && closedWith.isOk();
  }

  /** The status with which the call was closed, if it was. */
  Optional<Status> closedWith() {
    return Optional.ofNullable(closedWith);
  }

  /** Runs the cancellation actions. */
  void runCancelActions() {
    CallExtras extras = madeExtras();
    PendingActions actions = extras == null ? null : extras.addedCancelActions();
    if (actions != null) {
      actions.fire();
    }
    endExtras();
  }

  @Override
  public boolean isRequestCompressed() {
    return call.isRequestCompressed();
  }

  @Override
  public void setCompression(String encoding) {
    MessageEncodings known = call.stream().encodings();
    MessageEncoding wanted =
        known
            .sent(encoding)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "unknown compression: "
                        + encoding
                        + "; this server can compress with "
                        + known.sentNames()
                        + " (ServerBuilder.compressorRegistry adds others)"));
    requireNothingSent("the response was already started without " + encoding);
    if (wanted != MessageEncoding.IDENTITY && call.stream().accepts(wanted)) {
      extras().setEncoding(wanted);
    }
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    extras().setMessageCompression(enabled);
  }

  private MessageEncoding encoding() {
    CallExtras extras = madeExtras();
    return extras == null ? MessageEncoding.IDENTITY : extras.encoding();
  }

  @Override
  public void awaitEvent(BooleanSupplier until) throws InterruptedException {
    call.awaitEvent(until);
  }

  @Override
  public void awaitEvent(BooleanSupplier until, Duration atMost) throws InterruptedException {
    call.awaitEvent(until, atMost);
  }
}
