package dev.gannet.testing;

import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A listener of a {@link ClientCall} that records everything, for a test that waits for it: to test
 * interceptors and code below the generated clients. Every wait has a timeout, in real time. The
 * test requests messages itself, by {@link ClientCall#request}. For one call; the waits are safe
 * for all threads.
 *
 * @param <R> the response message
 */
public final class CallRecorder<R> implements ClientCall.Listener<R> {
  private final Recording<R> recording = new Recording<>();
  private volatile @Nullable Metadata headers;
  private volatile @Nullable Metadata trailers;
  private volatile @Nullable Status status;
  private volatile boolean ready;

  /** A recorder for one call. */
  public CallRecorder() {}

  @Override
  public void onHeaders(Metadata headers) {
    recording.change(() -> this.headers = headers);
  }

  @Override
  public void onMessage(R message) {
    recording.add(message);
  }

  @Override
  public void onReady() {
    recording.change(() -> ready = true);
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    recording.change(() -> {
      this.trailers = trailers;
      this.status = status;
    });
  }

  /** The messages so far. */
  public List<R> messages() {
    return recording.messages();
  }

  /**
   * The first message that this method has not returned before.
   *
   * @throws AssertionError if there is none within this time, or the call has ended, and with which
   *     status
   */
  public R next(Duration atMost) throws InterruptedException {
    return recording.next(atMost, () -> status().map(it -> new Recording.End(it, it.cause())));
  }

  /**
   * Waits for the response headers.
   *
   * @throws AssertionError if they do not arrive within this time
   */
  public Metadata awaitHeaders(Duration atMost) throws InterruptedException {
    recording.await(() -> headers != null, atMost, "response headers");
    return Objects.requireNonNull(headers, "headers");
  }

  /**
   * Waits for the end of the call, and returns its status.
   *
   * @throws AssertionError if it has not ended within this time
   */
  public Status awaitStatus(Duration atMost) throws InterruptedException {
    recording.await(() -> status != null, atMost, "the end of the call");
    return Objects.requireNonNull(status, "status");
  }

  /**
   * Waits until the call has become ready to send.
   *
   * @throws AssertionError if it has not within this time
   */
  public void awaitReady(Duration atMost) throws InterruptedException {
    recording.await(() -> ready, atMost, "that the call is ready");
  }

  /** The response headers; empty while there are none. */
  public Optional<Metadata> headers() {
    return Optional.ofNullable(headers);
  }

  /** The trailers; empty while the call has not ended. */
  public Optional<Metadata> trailers() {
    return Optional.ofNullable(trailers);
  }

  /** The status of the call; empty while it has not ended. */
  public Optional<Status> status() {
    return Optional.ofNullable(status);
  }
}
