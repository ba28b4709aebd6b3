package dev.gannet.api.stub;

import dev.gannet.api.engine.Rounds;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sends published messages, and requests more while the call is ready to send: at most {@link
 * #AHEAD} messages in advance.
 *
 * <p>A subscription is used by one thread at a time, as Reactive Streams §2.7 demands: threads of
 * the publisher and of the call both call {@link #proceed}, and the first one does the work for the
 * others.
 */
final class OutgoingSubscriber<T> implements Flow.Subscriber<T> {
  /**
   * The destination of the messages. Called by one thread at a time, except for {@link #isReady}.
   */
  interface Target<T> {
    boolean isReady();

    void send(T message);

    /** All messages were sent. */
    void end();

    /** The publisher has failed, or its messages cannot be sent. Any thread. */
    void fail(Throwable thrown);
  }

  /** How many messages are requested at a time. */
  static final int AHEAD = 16;

  private static final int ASK_AGAIN_BELOW = AHEAD / 2;

  private final Target<T> target;
  private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();
  private final AtomicInteger expected = new AtomicInteger();

  /** Each uses the subscription as the call needs it now. */
  private final Rounds steering = new Rounds();

  private volatile boolean ended;
  private volatile boolean unwanted;

  OutgoingSubscriber(Target<T> target) {
    this.target = target;
  }

  /** Subscribes; if that fails, so does the call. */
  void subscribeTo(Flow.Publisher<? extends T> publisher) {
    try {
      publisher.subscribe(this);
    } catch (RuntimeException | Error e) {
      giveUp(e);
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    Objects.requireNonNull(subscription, "subscription");
    if (this.subscription.compareAndSet(null, subscription)) {
      proceed();
    } else {
      subscription.cancel(); // Reactive Streams §2.5
    }
  }

  @Override
  public void onNext(T message) {
    Objects.requireNonNull(message, "message");
    if (ended || unwanted) {
      return;
    }
    expected.decrementAndGet();
    try {
      target.send(message);
    } catch (RuntimeException | Error e) {
      giveUp(e);
      return;
    }
    proceed();
  }

  @Override
  public void onError(Throwable thrown) {
    Objects.requireNonNull(thrown, "thrown");
    if (!ended) {
      ended = true;
      target.fail(thrown);
    }
  }

  @Override
  public void onComplete() {
    if (!ended && !unwanted) {
      ended = true;
      try {
        target.end();
      } catch (RuntimeException | Error e) { // the publisher would swallow it
        target.fail(e);
      }
    }
  }

  /** The call has ended: no more messages are needed. Any thread. */
  void stop() {
    unwanted = true;
    proceed();
  }

  /** The call may be ready for more. Any thread. */
  void proceed() {
    steering.run(this, OutgoingSubscriber::steer);
  }

  private void steer() {
    Flow.Subscription source = subscription.get();
    if (source == null || ended) {
      return;
    }
    try {
      if (unwanted) {
        ended = true;
        source.cancel();
      } else if (target.isReady()) {
        askFor(AHEAD - expected.get(), source);
      }
    } catch (RuntimeException | Error e) { // violates §3.16
      ended = true;
      target.fail(e);
    }
  }

  private void askFor(int more, Flow.Subscription source) {
    if (more >= ASK_AGAIN_BELOW) {
      expected.addAndGet(more);
      source.request(more);
    }
  }

  private void giveUp(Throwable thrown) {
    target.fail(thrown);
    stop();
  }
}
