package dev.gannet.api.stub;

import dev.gannet.api.Metadata;
import java.util.Objects;

/**
 * The answer to a unary call with what the server sent beside it. Immutable but for its metadata,
 * which belongs to whoever made the call.
 *
 * @param <R> the response message
 */
public final class Response<R> {
  private final R message;
  private final Metadata headers;
  private final Metadata trailers;

  Response(R message, Metadata headers, Metadata trailers) {
    this.message = Objects.requireNonNull(message, "message");
    this.headers = headers;
    this.trailers = trailers;
  }

  public R message() {
    return message;
  }

  /** What came before the message. */
  public Metadata headers() {
    return headers;
  }

  /** What came with the status. */
  public Metadata trailers() {
    return trailers;
  }
}
