package dev.gannet.api.stub;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import java.util.Optional;

/**
 * What a server sent beside its messages, caught for a caller who asks: pass one with {@link
 * BlockingClient#capturing} and look at it after the call. Holds the latest call's. Safe for all
 * threads.
 */
public final class ResponseMetadata {
  static final CallOptions.Key<Optional<ResponseMetadata>> OPTION =
      CallOptions.Key.of("response metadata", Optional.empty());

  private volatile Metadata headers = new Metadata();
  private volatile Metadata trailers = new Metadata();

  /** Holds nothing until a call is made with it. */
  public ResponseMetadata() {}

  /** The response headers; empty before they arrive and where the server sent trailers alone. */
  public Metadata headers() {
    return headers;
  }

  /** What came with the status; empty before the call's end. */
  public Metadata trailers() {
    return trailers;
  }

  /** A call begins. */
  void clear() {
    headers = new Metadata();
    trailers = new Metadata();
  }

  void caught(Metadata headers) {
    this.headers = headers;
  }

  void caughtTrailers(Metadata trailers) {
    this.trailers = trailers;
  }
}
