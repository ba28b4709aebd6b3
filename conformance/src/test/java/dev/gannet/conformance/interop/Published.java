package dev.gannet.conformance.interop;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** The few publishers and subscribers that an asynchronous service needs; the JDK has none. */
final class Published {
  private Published() {}

  /** Publishes each of them when it is asked for. */
  static <T> Flow.Publisher<T> of(List<T> messages) {
    return subscriber -> subscriber.onSubscribe(new Listed<>(messages.iterator(), subscriber));
  }

  /** Publishes what becomes of each. */
  static <T, U> Flow.Publisher<U> map(Flow.Publisher<T> source, Function<T, U> function) {
    return subscriber -> source.subscribe(new Mapping<>(function, subscriber));
  }

  /** All that is published. */
  static <T> CompletableFuture<List<T>> all(Flow.Publisher<T> source) {
    Collecting<T> collecting = new Collecting<>(new ArrayList<>(), new CompletableFuture<>());
    source.subscribe(collecting);
    return collecting.whole;
  }

  private record Listed<T>(
      Iterator<T> rest, Flow.Subscriber<? super T> subscriber, AtomicLong wanted)
      implements Flow.Subscription {
    Listed(Iterator<T> rest, Flow.Subscriber<? super T> subscriber) {
      this(rest, subscriber, new AtomicLong());
    }

    /**
     * The thread that raises the demand from zero publishes, also for threads that raise it
     * meanwhile.
     */
    @Override
    public void request(long count) {
      if (wanted.getAndAdd(count) != 0) {
        return;
      }
      do {
        if (!rest.hasNext()) {
          subscriber.onComplete();
          return; // the demand never reaches zero again
        }
        subscriber.onNext(rest.next());
        if (!rest.hasNext()) {
          subscriber.onComplete();
          return;
        }
      } while (wanted.decrementAndGet() != 0);
    }

    @Override
    public void cancel() {
      wanted.set(Long.MIN_VALUE);
      rest.forEachRemaining(it -> {});
    }
  }

  private record Mapping<T, U>(Function<T, U> function, Flow.Subscriber<? super U> next)
      implements Flow.Subscriber<T> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      next.onSubscribe(subscription);
    }

    @Override
    public void onNext(T message) {
      next.onNext(function.apply(message));
    }

    @Override
    public void onError(Throwable thrown) {
      next.onError(thrown);
    }

    @Override
    public void onComplete() {
      next.onComplete();
    }
  }

  private record Collecting<T>(List<T> messages, CompletableFuture<List<T>> whole)
      implements Flow.Subscriber<T> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(T message) {
      messages.add(message);
    }

    @Override
    public void onError(Throwable thrown) {
      whole.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
      whole.complete(messages);
    }
  }
}
