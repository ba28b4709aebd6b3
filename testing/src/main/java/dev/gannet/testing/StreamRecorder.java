package dev.gannet.testing;

import dev.gannet.api.Status;
import dev.gannet.api.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Receives a stream and records it, for a test that waits for it: a {@link StreamObserver} for
 * clients with observers, and a {@link Flow.Subscriber} for clients with publishers. Every wait has
 * a timeout, in real time. For one stream; the waits are safe for all threads.
 *
 * @param <T> the message
 */
public final class StreamRecorder<T> implements StreamObserver<T>, Flow.Subscriber<T> {
  private final Recording<T> recording = new Recording<>();
  private final long requestedAtFirst;
  private volatile Flow.@Nullable Subscription subscription;
  private volatile @Nullable Throwable failure;
  private volatile boolean ended;

  private StreamRecorder(long requestedAtFirst) {
    this.requestedAtFirst = requestedAtFirst;
  }

  /** A recorder that requests all messages. */
  public static <T> StreamRecorder<T> create() {
    return new StreamRecorder<>(Long.MAX_VALUE);
  }

  /**
   * A recorder that requests this many messages from its publisher, 0 or more, and more with {@link
   * #request}.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public static <T> StreamRecorder<T> requesting(long messages) {
    if (messages < 0) {
      throw new IllegalArgumentException(
          "the number of requested messages cannot be negative: " + messages);
    }
    return new StreamRecorder<>(messages);
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    recording.change(() -> this.subscription = subscription);
    if (requestedAtFirst > 0) {
      subscription.request(requestedAtFirst);
    }
  }

  @Override
  public void onNext(T message) {
    recording.add(message);
  }

  @Override
  public void onError(Throwable thrown) {
    recording.change(() -> {
      failure = thrown;
      ended = true;
    });
  }

  /** The end, reported to an observer. */
  @Override
  public void onCompleted() {
    recording.change(() -> ended = true);
  }

  /** The end, reported to a subscriber. */
  @Override
  public void onComplete() {
    onCompleted();
  }

  /**
   * Requests this many more messages from the publisher.
   *
   * @throws IllegalStateException if it is not subscribed to one
   */
  public void request(long messages) {
    subscribed().request(messages);
  }

  /**
   * Cancels the subscription, and with it the call.
   *
   * @throws IllegalStateException if it is not subscribed to a publisher
   */
  public void cancel() {
    subscribed().cancel();
  }

  private Flow.Subscription subscribed() {
    Flow.Subscription current = subscription;
    if (current == null) {
      throw new IllegalStateException("this recorder is not subscribed to a publisher");
    }
    return current;
  }

  /** The messages so far. */
  public List<T> messages() {
    return recording.messages();
  }

  /**
   * The first message that this method has not returned before.
   *
   * @throws AssertionError if there is none within this time, or the stream has ended; its failure
   *     is the cause
   */
  public T next(Duration atMost) throws InterruptedException {
    return recording.next(atMost, this::end);
  }

  /**
   * Waits for the successful end of the stream, and returns all messages.
   *
   * @throws AssertionError if it has not ended within this time, or has failed; the failure is the
   *     cause
   */
  public List<T> awaitCompletion(Duration atMost) throws InterruptedException {
    recording.await(() -> ended, atMost, "the end of the stream");
    Throwable thrown = failure;
    if (thrown != null) {
      throw new AssertionError("the stream has failed: " + thrown.getMessage(), thrown);
    }
    return messages();
  }

  /**
   * Waits for the end of the stream, and returns its status: {@code OK}, or that of the failure.
   *
   * @throws AssertionError if it has not ended within this time
   */
  public Status awaitStatus(Duration atMost) throws InterruptedException {
    recording.await(() -> ended, atMost, "the end of the stream");
    return endStatus();
  }

  private Status endStatus() {
    return failure().map(Status::fromThrowable).orElse(Status.OK);
  }

  private Optional<Recording.End> end() {
    return ended ? Optional.of(new Recording.End(endStatus(), failure())) : Optional.empty();
  }

  /** The failure of the stream. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /** Whether the stream has ended, successfully or not. */
  public boolean hasEnded() {
    return ended;
  }
}
