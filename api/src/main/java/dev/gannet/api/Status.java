package dev.gannet.api;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a call ended: a code, an optional description, and an optional local cause that is never
 * sent.
 *
 * <p>Immutable. Codes and their numbers are those of the gRPC status code list.
 */
public final class Status {
  /** The seventeen gRPC status codes; {@link #value()} is the number on the wire. */
  public enum Code {
    OK(0),
    CANCELLED(1),
    UNKNOWN(2),
    INVALID_ARGUMENT(3),
    DEADLINE_EXCEEDED(4),
    NOT_FOUND(5),
    ALREADY_EXISTS(6),
    PERMISSION_DENIED(7),
    RESOURCE_EXHAUSTED(8),
    FAILED_PRECONDITION(9),
    ABORTED(10),
    OUT_OF_RANGE(11),
    UNIMPLEMENTED(12),
    INTERNAL(13),
    UNAVAILABLE(14),
    DATA_LOSS(15),
    UNAUTHENTICATED(16);

    private static final Code[] BY_VALUE = values();

    private final int value;

    Code(int value) {
      this.value = value;
    }

    /** The code's number on the wire, 0 to 16. */
    public int value() {
      return value;
    }

    /** The status with this code and nothing else; always the same instance. */
    public Status toStatus() {
      return BARE[value];
    }

    /** The code with that number, or {@link #UNKNOWN} if there is none. */
    public static Code of(int value) {
      return value >= 0 && value < BY_VALUE.length ? BY_VALUE[value] : UNKNOWN;
    }
  }

  private static final Status[] BARE =
      Arrays.stream(Code.values()).map(Status::new).toArray(Status[]::new);

  public static final Status OK = Code.OK.toStatus();
  public static final Status CANCELLED = Code.CANCELLED.toStatus();
  public static final Status UNKNOWN = Code.UNKNOWN.toStatus();
  public static final Status INVALID_ARGUMENT = Code.INVALID_ARGUMENT.toStatus();
  public static final Status DEADLINE_EXCEEDED = Code.DEADLINE_EXCEEDED.toStatus();
  public static final Status NOT_FOUND = Code.NOT_FOUND.toStatus();
  public static final Status ALREADY_EXISTS = Code.ALREADY_EXISTS.toStatus();
  public static final Status PERMISSION_DENIED = Code.PERMISSION_DENIED.toStatus();
  public static final Status RESOURCE_EXHAUSTED = Code.RESOURCE_EXHAUSTED.toStatus();
  public static final Status FAILED_PRECONDITION = Code.FAILED_PRECONDITION.toStatus();
  public static final Status ABORTED = Code.ABORTED.toStatus();
  public static final Status OUT_OF_RANGE = Code.OUT_OF_RANGE.toStatus();
  public static final Status UNIMPLEMENTED = Code.UNIMPLEMENTED.toStatus();
  public static final Status INTERNAL = Code.INTERNAL.toStatus();
  public static final Status UNAVAILABLE = Code.UNAVAILABLE.toStatus();
  public static final Status DATA_LOSS = Code.DATA_LOSS.toStatus();
  public static final Status UNAUTHENTICATED = Code.UNAUTHENTICATED.toStatus();

  private final Code code;
  private final @Nullable String description;
  private final @Nullable Throwable cause;
  private final @Nullable CallFailure failure;

  /** Whether it was made in place of its cause; false in each status that is made of this one. */
  private final boolean replacesCause;

  private Status(Code code) {
    this(code, null, null, null);
  }

  private Status(
      Code code,
      @Nullable String description,
      @Nullable Throwable cause,
      @Nullable CallFailure failure) {
    this.code = code;
    this.description = description;
    this.cause = cause;
    this.failure = failure;
    this.replacesCause = false;
  }

  private Status(Status like, Throwable replaced) {
    this.code = like.code;
    this.description = like.description;
    this.cause = replaced;
    this.failure = like.failure;
    this.replacesCause = true;
  }

  /** The kind of result, which is sent to the peer as {@code grpc-status}. */
  public Code code() {
    return code;
  }

  /** Whether the call succeeded. */
  public boolean isOk() {
    return code == Code.OK;
  }

  /** A text for people; sent to the peer as {@code grpc-message}. */
  public Optional<String> description() {
    return Optional.ofNullable(description);
  }

  /** The local exception that is the cause; never sent to the peer. */
  public Optional<Throwable> cause() {
    return Optional.ofNullable(cause);
  }

  /**
   * Details about why the call failed; never sent to the peer. Channels provide them with {@code
   * UNAVAILABLE} and {@code DEADLINE_EXCEEDED}, and if a stream was reset.
   */
  public Optional<CallFailure> failure() {
    return Optional.ofNullable(failure);
  }

  /** This status with another description; null means none, like the message of an exception. */
  public Status withDescription(@Nullable String description) {
    return new Status(code, description, cause, failure);
  }

  /** This status with another cause; null means none. */
  public Status withCause(@Nullable Throwable cause) {
    return new Status(code, description, cause, failure);
  }

  /** This status in place of an exception, which is its cause and can be {@link #replaced}. */
  Status inPlaceOf(Throwable thrown) {
    return new Status(this, thrown);
  }

  /**
   * The exception in whose place this status was made, by {@link #inPlaceOf}. Empty for any other,
   * even with the same text: that of a call to another server, for example.
   */
  Optional<Throwable> replaced() {
    return replacesCause ? cause() : Optional.empty();
  }

  /** This status with details about why the call failed; null means none. */
  public Status withFailure(@Nullable CallFailure failure) {
    return new Status(code, description, cause, failure);
  }

  /** This status with a text appended to its description; null means none. */
  public Status augmentDescription(@Nullable String more) {
    if (more == null) {
      return this;
    }
    return withDescription(description == null ? more : description + "\n" + more);
  }

  /** An exception that carries this status and no trailers. */
  public StatusException asException() {
    return new StatusException(this, new Metadata());
  }

  /** An exception that carries this status and the given trailers. */
  public StatusException asException(Metadata trailers) {
    return new StatusException(this, trailers);
  }

  /**
   * The status of the first {@link StatusException} among the throwable and its causes, or else
   * {@link Code#UNKNOWN} with the throwable as its cause.
   */
  public static Status fromThrowable(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof StatusException exception) {
        return exception.status();
      }
    }
    return UNKNOWN.withCause(thrown);
  }

  /**
   * Code and description on one line, such as {@code NOT_FOUND: no such user}. Line breaks and
   * other control characters of the description are escaped, so that a peer cannot forge a log
   * line.
   */
  @Override
  public String toString() {
    return description == null ? code.name() : code.name() + ": " + OneLine.of(description);
  }
}
