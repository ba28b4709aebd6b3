package dev.gannet.testing;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.time.Duration;
import java.util.List;

/**
 * The reply of a {@link FakeServer} to one call. Immutable.
 *
 * @param <R> the response message
 */
public final class Reply<R> {
  enum When {
    REQUEST_COMPLETE,
    AT_ONCE,
    NEVER
  }

  enum Connection {
    STAYS,
    GOES_AWAY
  }

  private final List<R> messages;
  private final Status status;
  private final Metadata headers;
  private final Metadata trailers;
  private final Duration delay;
  private final When when;
  private final Connection connection;

  private Reply(Parts<R> parts) {
    this.messages = parts.messages;
    this.status = parts.status;
    this.headers = parts.headers;
    this.trailers = parts.trailers;
    this.delay = parts.delay;
    this.when = parts.when;
    this.connection = parts.connection;
  }

  /** The parts of a reply; only changed during construction. */
  private static final class Parts<R> {
    private List<R> messages = List.of();
    private Status status = Status.OK;
    private Metadata headers = new Metadata();
    private Metadata trailers = new Metadata();
    private Duration delay = Duration.ZERO;
    private When when = When.REQUEST_COMPLETE;
    private Connection connection = Connection.STAYS;

    private Parts() {}

    private Parts(Reply<R> from) {
      messages = from.messages;
      status = from.status;
      headers = from.headers;
      trailers = from.trailers;
      delay = from.delay;
      when = from.when;
      connection = from.connection;
    }
  }

  /** These messages, then {@code OK}. For a method with one response there must be one message. */
  @SafeVarargs
  @SuppressWarnings("varargs") // it is copied
  public static <R> Reply<R> of(R... messages) {
    Parts<R> parts = new Parts<>();
    parts.messages = List.of(messages);
    return new Reply<>(parts);
  }

  /** No message, and this status. */
  public static <R> Reply<R> failure(Status status) {
    return Reply.<R>of().thenFail(status);
  }

  /** No reply: the call stays open until its client cancels it or its deadline passes. */
  public static <R> Reply<R> none() {
    Parts<R> parts = new Parts<>();
    parts.when = When.NEVER;
    return new Reply<>(parts);
  }

  /** Sends the reply after a delay. Uses the virtual clock, if there is one. */
  public Reply<R> after(Duration delay) {
    Parts<R> parts = new Parts<>(this);
    parts.delay = delay;
    return new Reply<>(parts);
  }

  /** Sends the messages, then this status. */
  public Reply<R> thenFail(Status status) {
    Parts<R> parts = new Parts<>(this);
    parts.status = status;
    return new Reply<>(parts);
  }

  /** Sends the reply without waiting for the end of the client's requests. */
  public Reply<R> atOnce() {
    Parts<R> parts = new Parts<>(this);
    parts.when = When.AT_ONCE;
    return new Reply<>(parts);
  }

  /** Adds headers. */
  public Reply<R> withHeaders(Metadata headers) {
    Parts<R> parts = new Parts<>(this);
    parts.headers = headers.copy();
    return new Reply<>(parts);
  }

  /** Adds trailers. */
  public Reply<R> withTrailers(Metadata trailers) {
    Parts<R> parts = new Parts<>(this);
    parts.trailers = trailers.copy();
    return new Reply<>(parts);
  }

  /**
   * Before the reply, the server sends GOAWAY to all its clients: this call may still end, and the
   * next one uses a new connection.
   */
  public Reply<R> goingAway() {
    Parts<R> parts = new Parts<>(this);
    parts.connection = Connection.GOES_AWAY;
    return new Reply<>(parts);
  }

  List<R> messages() {
    return messages;
  }

  Status status() {
    return status;
  }

  Metadata headers() {
    return headers.copy();
  }

  Metadata trailers() {
    return trailers.copy();
  }

  Duration delay() {
    return delay;
  }

  When when() {
    return when;
  }

  Connection connection() {
    return connection;
  }

  @Override
  public String toString() {
    return when == When.NEVER ? "Reply(none)" : "Reply(" + messages.size() + ", " + status + ")";
  }
}
