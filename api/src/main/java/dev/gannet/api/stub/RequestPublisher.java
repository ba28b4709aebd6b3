package dev.gannet.api.stub;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the requests of one call to its handler: to one subscriber, one signal at a time.
 *
 * <p>Messages arrive one at a time and only after they were requested. The end may arrive before
 * there is a subscriber, and a wrong {@code request} on any thread: a thread that finds another one
 * active leaves the end to that one.
 */
final class RequestPublisher<Q> implements Flow.Publisher<Q>, Flow.Subscription {
  /** The subscription of a subscriber that is rejected. */
  private enum Nothing implements Flow.Subscription {
    ONLY;

    @Override
    public void request(long messages) {}

    @Override
    public void cancel() {}
  }

  private final Demand demand;
  private final AtomicBoolean taken = new AtomicBoolean();
  private final AtomicReference<Flow.@Nullable Subscriber<? super Q>> subscriber =
      new AtomicReference<>();

  /** The number of threads that have a signal; 1 at first, because there is no subscriber yet. */
  private final AtomicInteger signals = new AtomicInteger(1);

  /** How the requests end: empty means successfully. */
  private final AtomicReference<@Nullable Optional<Throwable>> end = new AtomicReference<>();

  RequestPublisher(IntConsumer call) {
    this.demand = new Demand(call);
  }

  @Override
  public void subscribe(Flow.Subscriber<? super Q> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    if (!taken.compareAndSet(false, true)) {
      subscriber.onSubscribe(Nothing.ONLY);
      subscriber.onError(
          new IllegalStateException("the requests of a call can be subscribed to only once"));
      return;
    }
    this.subscriber.set(subscriber);
    subscriber.onSubscribe(this);
    leave();
    demand.open();
  }

  @Override
  public void request(long messages) {
    if (messages > 0) {
      demand.add(messages);
    } else {
      end(Optional.of(Demand.notPositive(messages)));
    }
  }

  @Override
  public void cancel() {
    subscriber.set(null);
  }

  /** A request has arrived. Called by one thread at a time. */
  void publish(Q message) {
    if (signals.getAndIncrement() != 0) {
      return; // the end is being signalled
    }
    Flow.Subscriber<? super Q> receiver = subscriber.get();
    try {
      if (receiver != null) {
        receiver.onNext(message);
        demand.onTaken();
      }
    } catch (Throwable e) {
      subscriber.set(null); // it has violated its contract, and gets nothing more
      throw e;
    } finally {
      leave();
    }
  }

  /** No more requests follow; the first end counts. Any thread. */
  void end(Optional<Throwable> failure) {
    end.compareAndSet(null, failure);
    if (signals.getAndIncrement() == 0) {
      leave();
    }
  }

  private void leave() {
    int done = 1;
    do {
      Optional<Throwable> how = end.get();
      if (how != null) {
        signalEnd(how);
      }
      done = signals.addAndGet(-done);
    } while (done != 0);
  }

  private void signalEnd(Optional<Throwable> how) {
    Flow.Subscriber<? super Q> receiver = subscriber.getAndSet(null);
    if (receiver == null) {
      return;
    }
    if (how.isPresent()) {
      receiver.onError(how.get());
    } else {
      receiver.onComplete();
    }
  }
}
