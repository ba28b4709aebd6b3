package dev.gannet.testing;

import dev.gannet.api.CallContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Flow;

/** A subscriber that keeps what it is told, and requests as a test says. */
@SuppressWarnings("NullAway.Init") // set by what it is told
final class Recorder implements Flow.Subscriber<String> {
  private static final long CANCEL = -1;

  private final List<String> messages = new ArrayList<>();
  private final long requestedAtFirst;
  private Flow.Subscription subscription;
  private Throwable error;
  private boolean completed;
  private Optional<CallContext> context = Optional.empty();

  Recorder(long requestedAtFirst) {
    this.requestedAtFirst = requestedAtFirst;
  }

  /** Requests all that comes. */
  Recorder() {
    this(Long.MAX_VALUE);
  }

  /** Cancels as soon as it has subscribed. */
  static Recorder cancellingAtOnce() {
    return new Recorder(CANCEL);
  }

  Flow.Subscription subscription() {
    return subscription;
  }

  List<String> messages() {
    return messages;
  }

  Throwable error() {
    return error;
  }

  boolean isCompleted() {
    return completed;
  }

  /** The current call when something was told last. */
  Optional<CallContext> context() {
    return context;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    if (requestedAtFirst == CANCEL) {
      subscription.cancel();
    } else if (requestedAtFirst > 0) {
      subscription.request(requestedAtFirst);
    }
  }

  @Override
  public void onNext(String message) {
    messages.add(message);
    context = CallContext.current();
  }

  @Override
  public void onError(Throwable thrown) {
    error = thrown;
    context = CallContext.current();
  }

  @Override
  public void onComplete() {
    completed = true;
    context = CallContext.current();
  }
}
