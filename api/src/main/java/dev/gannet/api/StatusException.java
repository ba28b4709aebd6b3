package dev.gannet.api;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call that did not end well, as an exception: thrown by blocking clients, and thrown by handlers
 * that want to end their call with that status and those trailers.
 *
 * <p>A failure of a call that this program made ({@link #failedCall}) is not an answer of the
 * handler that lets it pass: that handler's call ends with {@link Status.Code#UNKNOWN}, its client
 * learns nothing of the inner status, and the log names the inner call. {@link #passOn} makes it
 * the answer.
 */
public final class StatusException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient @Nullable Status status;
  private final transient @Nullable Metadata trailers;
  private final transient @Nullable Metadata headers;
  private final transient @Nullable String failedCall;

  /** How a handler ends its call. */
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

  /** How a call ended that this program made, and what its server had sent. For stubs. */
  public static StatusException ofCall(
      MethodDescriptor<?, ?> method, Status status, Metadata headers, Metadata trailers) {
    return new StatusException(
        status, trailers, Objects.requireNonNull(headers, "headers"), method.fullMethodName());
  }

  private static String textOf(Status status) {
    return status + status.failure().map(it -> " [" + it + "]").orElse("");
  }

  /** What this side knows of how the call came to fail; empty where it knows nothing. */
  public Optional<CallFailure> failure() {
    return status().failure();
  }

  /** How the call ended. */
  public Status status() {
    return status == null ? Status.UNKNOWN.withDescription(String.valueOf(getMessage())) : status;
  }

  /** What the server sent along with the status; empty where the status was made on this side. */
  public Metadata trailers() {
    return trailers == null ? new Metadata() : trailers;
  }

  /** The response headers that came before; empty where there were none. */
  public Metadata headers() {
    return headers == null ? new Metadata() : headers;
  }

  /**
   * The full name of the method whose call failed, where this program made that call; empty where
   * the exception was made to end a call with.
   */
  public Optional<String> failedCall() {
    return Optional.ofNullable(failedCall);
  }

  /**
   * The same status and trailers as an answer: a handler that throws this ends its own call as the
   * inner one ended. This exception is its cause, which never travels.
   */
  public StatusException passOn() {
    return new StatusException(status().withCause(this).withFailure(null), trailers());
  }
}
