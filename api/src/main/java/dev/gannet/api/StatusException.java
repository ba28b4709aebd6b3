package dev.gannet.api;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failed call as an exception: thrown by blocking clients, and thrown by handlers to end their
 * call with its status and trailers.
 *
 * <p>If a handler does not catch the failure of a call that it made ({@link #failedCall}), the
 * failure is not sent to its own client: the handler's call ends with {@link Status.Code#UNKNOWN},
 * and the log names the inner call. {@link #passOn} sends it.
 */
public final class StatusException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private static final Status HANDLER_FAILED =
      Status.UNKNOWN.withDescription(
          "a handler or interceptor threw an exception; the server's log has it");

  private final transient @Nullable Status status;
  private final transient @Nullable Metadata trailers;
  private final transient @Nullable Metadata headers;
  private final transient @Nullable String failedCall;

  /** Creates an exception with which a handler ends its call. */
  public StatusException(Status status, Metadata trailers) {
    this(status, trailers, null, null);
  }

  private StatusException(
      Status status, Metadata trailers, @Nullable Metadata headers, @Nullable String failedCall) {
    super(textOf(status), status.cause().orElse(null));
    this.status = status;
    this.trailers = Objects.requireNonNull(trailers, "trailers");
    this.headers = headers;
    this.failedCall = failedCall;
  }

  /**
   * Creates an exception for a call that this program made, with the data that its server sent. For
   * stubs.
   */
  public static StatusException ofCall(
      MethodDescriptor<?, ?> method, Status status, Metadata headers, Metadata trailers) {
    return new StatusException(
        status, trailers, Objects.requireNonNull(headers, "headers"), method.fullMethodName());
  }

  /**
   * The failure of a call of this method, if it was thrown where that call was made: with the same
   * status, and with this one as the cause. It is this one if it is such a failure already.
   */
  StatusException asFailureOf(MethodDescriptor<?, ?> method) {
    String name = method.fullMethodName();
    return name.equals(failedCall)
        ? this
        : new StatusException(status().withCause(this), trailers(), headers(), name);
  }

  /**
   * The exception with which a call ends if its handler or interceptor threw {@code thrown}. It is
   * {@code thrown} itself if the handler created that as the status of the call. Otherwise it has
   * the code {@link Status.Code#UNKNOWN} and a description that only says that the handler failed;
   * {@code thrown} is its cause, which is never sent. For interceptors that need to know how a
   * failed call will end.
   */
  public static StatusException thrownByHandler(Throwable thrown) {
    return thrown instanceof StatusException own && own.isOwn()
        ? own
        : HANDLER_FAILED.inPlaceOf(thrown).asException();
  }

  /** Whether it was created to end a call, and is not the failure of a call that was made. */
  boolean isOwn() {
    return failedCall == null;
  }

  /**
   * The exception for a method that a service does not implement: generated services throw it from
   * the methods that are not overridden.
   */
  public static StatusException unimplemented(MethodDescriptor<?, ?> method) {
    return Status.UNIMPLEMENTED
        .withDescription("Method " + method.fullMethodName() + " is not implemented")
        .asException();
  }

  private static String textOf(Status status) {
    return status
        + status.failure().flatMap(it -> it.beside(status)).map(it -> " [" + it + "]").orElse("");
  }

  /** Details about why the call failed; empty if nothing is known. */
  public Optional<CallFailure> failure() {
    return status().failure();
  }

  /** How the call ended. */
  public Status status() {
    return status == null ? Status.UNKNOWN.withDescription(String.valueOf(getMessage())) : status;
  }

  /**
   * The trailers that the server sent with the status; empty if the status was created on this
   * side.
   */
  public Metadata trailers() {
    return trailers == null ? new Metadata() : trailers;
  }

  /** The response headers that were received before; empty if there were none. */
  public Metadata headers() {
    return headers == null ? new Metadata() : headers;
  }

  /**
   * The full name of the method whose call failed, if this program made that call, also if an
   * interceptor of its own has refused it; empty if the exception was created to end a call.
   */
  public Optional<String> failedCall() {
    return Optional.ofNullable(failedCall);
  }

  /**
   * An exception for a handler to throw: it ends the handler's own call with the status and
   * trailers of this one. This exception becomes its cause, which is never sent.
   */
  public StatusException passOn() {
    return new StatusException(status().withCause(this).withFailure(null), trailers());
  }
}
