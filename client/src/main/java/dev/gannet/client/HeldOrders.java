package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.transport.ClientStream;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a caller orders, on its way to the call's stream: straight on once there is one, kept in
 * order until then.
 *
 * <pre>
 *   null ──► Held, newest first ──leadTo──► Playing ──► the stream
 *     └────────────┴────drop────► DROPPED
 * </pre>
 *
 * <p>Any thread may order; one brings the stream, and plays to it what was held. Who orders
 * meanwhile waits for that, which is moments. No lock: for most calls the stream is there before
 * the first order.
 */
final class HeldOrders<Q> {
  private static final AtomicReferenceFieldUpdater<HeldOrders<?>, @Nullable Object> PLACE =
      updater();

  private static final long MOMENT_NANOS = 10_000;

  private enum Mark {
    DROPPED
  }

  /** An order and those before it. */
  private record Held<Q>(Consumer<ClientStream<Q>> order, @Nullable Held<Q> before) {
    void playTo(ClientStream<Q> stream) {
      Held<Q> oldest = null;
      for (Held<Q> one = this; one != null; one = one.before) {
        oldest = new Held<>(one.order, oldest);
      }
      for (Held<Q> one = oldest; one != null; one = one.before) {
        one.order.accept(stream);
      }
    }
  }

  /** Who plays what was held, and to what. */
  private record Playing<Q>(Thread by, ClientStream<Q> to) {}

  /** One of the states above; null at first. */
  private volatile @Nullable Object place;

  /** Where orders go; null while they go nowhere yet, or not any more. */
  @Nullable ClientStream<Q> stream() {
    return streamOf(place);
  }

  @SuppressWarnings("unchecked") // no stream of another type comes in
  private @Nullable ClientStream<Q> streamOf(@Nullable Object place) {
    return place instanceof ClientStream ? (ClientStream<Q>) place : null;
  }

  /** The stream, also for what the marshaller of an order that is being played orders itself. */
  @SuppressWarnings("unchecked") // likewise
  private @Nullable ClientStream<Q> ownStreamOf(@Nullable Object place) {
    return place instanceof Playing<?>(Thread by, ClientStream<?> to)
            && by.equals(Thread.currentThread())
        ? (ClientStream<Q>) to
        : streamOf(place);
  }

  @SuppressWarnings("unchecked") // likewise
  private @Nullable Held<Q> heldOf(@Nullable Object place) {
    return place instanceof Held ? (Held<Q>) place : null;
  }

  private static boolean isWaiting(@Nullable Object place) {
    return place == null || place instanceof Held;
  }

  /** Whether orders need not wait any more: there is a stream, or there will be none. */
  boolean isLedOn() {
    return !isWaiting(place);
  }

  void send(Q message, boolean compressed) {
    ClientStream<Q> to = streamOf(place);
    if (to != null) {
      to.send(message, compressed);
    } else {
      hold(later -> later.send(message, compressed));
    }
  }

  void halfClose() {
    ClientStream<Q> to = streamOf(place);
    if (to != null) {
      to.halfClose();
    } else {
      hold(ClientStream::halfClose);
    }
  }

  void flush() {
    ClientStream<Q> to = streamOf(place);
    if (to != null) {
      to.flush();
    } else {
      hold(ClientStream::flush);
    }
  }

  /** Has the stream do that, in its order. */
  void order(Consumer<ClientStream<?>> order) {
    hold(order::accept);
  }

  /** Ends the call on its stream, unless it was {@linkplain #drop dropped}. */
  void cancel(Status status) {
    hold(stream -> stream.cancel(status));
  }

  private void hold(Consumer<ClientStream<Q>> order) {
    while (true) {
      Object now = place;
      ClientStream<Q> to = ownStreamOf(now);
      if (to != null) {
        order.accept(to);
        return;
      }
      if (now == Mark.DROPPED || (isWaiting(now) && move(now, new Held<>(order, heldOf(now))))) {
        return;
      }
      LockSupport.parkNanos(MOMENT_NANOS);
    }
  }

  private boolean move(@Nullable Object from, Object to) {
    return PLACE.compareAndSet(this, from, to);
  }

  /**
   * Plays what was held to the stream, and leads on to it from here on, so that no later order
   * overtakes one that was held; false if the call has ended before. Once.
   */
  boolean leadTo(ClientStream<Q> to) {
    while (true) {
      Object now = place;
      Held<Q> held = heldOf(now);
      if (!isWaiting(now)) {
        return false;
      }
      if (held == null && move(now, to)) {
        return true;
      }
      if (held != null && move(now, new Playing<>(Thread.currentThread(), to))) {
        play(held, to);
        return true;
      }
    }
  }

  private void play(Held<Q> held, ClientStream<Q> to) {
    try {
      held.playTo(to);
    } finally {
      place = to; // where it fails too: the call ends by that, and nobody must wait on
    }
  }

  /**
   * Forgets what was held and takes no more; false if there is a stream, or this was done before.
   */
  boolean drop() {
    while (true) {
      Object now = place;
      if (!isWaiting(now)) {
        return false;
      }
      if (move(now, Mark.DROPPED)) {
        return true;
      }
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicReferenceFieldUpdater<HeldOrders<?>, @Nullable Object> updater() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(HeldOrders.class, Object.class, "place");
  }
}
