package dev.gannet.api;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call that did not end well, as an exception: thrown by blocking clients, and thrown by handlers
 * that want to end their call with that status and those trailers.
 */
public final class StatusException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient @Nullable Status status;
  private final transient @Nullable Metadata trailers;

  public StatusException(Status status, Metadata trailers) {
    super(status.toString(), status.cause().orElse(null));
    this.status = status;
    this.trailers = Objects.requireNonNull(trailers, "trailers");
  }

  /** How the call ended. */
  public Status status() {
    return status == null ? Status.UNKNOWN.withDescription(String.valueOf(getMessage())) : status;
  }

  /** What the server sent along with the status; empty where the status was made on this side. */
  public Metadata trailers() {
    return trailers == null ? new Metadata() : trailers;
  }
}
