package dev.gannet.suites;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** A publisher of texts with one subscriber, which publishes what was requested of it. */
@SuppressWarnings("NullAway.Init") // its subscriber comes later
final class Texter implements Flow.Publisher<String>, Flow.Subscription {
  private final Queue<String> texts;
  private final @Nullable Throwable failure;
  private Flow.Subscriber<? super String> subscriber;
  private long requested;
  private long largestRequest;
  private boolean publishing;
  private boolean over;
  private boolean cancelled;

  private Texter(List<String> texts, @Nullable Throwable failure) {
    this.texts = new ArrayDeque<>(texts);
    this.failure = failure;
  }

  /** Publishes these and completes. */
  static Texter of(String... texts) {
    return new Texter(List.of(texts), null);
  }

  /** Publishes these and fails. */
  static Texter failing(Throwable failure, String... texts) {
    return new Texter(List.of(texts), failure);
  }

  long largestRequest() {
    return largestRequest;
  }

  int left() {
    return texts.size();
  }

  boolean isSubscribed() {
    return subscriber != null;
  }

  boolean isCancelled() {
    return cancelled;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super String> subscriber) {
    this.subscriber = subscriber;
    subscriber.onSubscribe(this);
    publish();
  }

  @Override
  public void request(long messages) {
    requested += messages;
    largestRequest = Math.max(largestRequest, messages);
    publish();
  }

  @Override
  public void cancel() {
    cancelled = true;
    over = true;
  }

  /** Fails before the rest is published. */
  void fail(Throwable why) {
    over = true;
    subscriber.onError(why);
  }

  private void publish() {
    if (publishing) {
      return;
    }
    publishing = true;
    while (!over && requested > 0 && !texts.isEmpty()) {
      requested--;
      subscriber.onNext(texts.remove());
    }
    publishing = false;
    if (!over && texts.isEmpty()) {
      over = true;
      if (failure == null) {
        subscriber.onComplete();
      } else {
        subscriber.onError(failure);
      }
    }
  }
}
