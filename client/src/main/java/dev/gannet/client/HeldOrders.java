package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.transport.ClientStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a caller orders, on its way to the call's stream: straight on once there is one, kept in
 * order until then.
 *
 * <pre>
 *   nothing ◄──► orders, newest first ──leadTo──► played ◄──► orders ──► the stream
 *      └──────────────────┴────drop────► dropped
 * </pre>
 *
 * <p>Any thread may order; one brings the stream, and plays to it what was held until nothing is.
 * No lock: for most calls the stream is there before the first order.
 */
final class HeldOrders<Q> {
  private static final AtomicReferenceFieldUpdater<HeldOrders<?>, @Nullable Object> PLACE =
      updater();

  private enum Mark {
    /** Orders are being played, and there is no other by now. */
    PLAYED,
    DROPPED
  }

  /** An order and those before it; {@code led} once a stream is there to play them to. */
  private record Held<Q>(Consumer<ClientStream<Q>> order, @Nullable Held<Q> before, boolean led) {
    void playTo(ClientStream<Q> stream) {
      Held<Q> oldest = null;
      for (Held<Q> one = this; one != null; one = one.before) {
        oldest = new Held<>(one.order, oldest, true);
      }
      for (Held<Q> one = oldest; one != null; one = one.before) {
        one.order.accept(stream);
      }
    }
  }

  /** Null, a Mark, the newest that is Held, or the stream. */
  private volatile @Nullable Object place;

  /** Where orders go, once they go somewhere. */
  Optional<ClientStream<Q>> stream() {
    return Optional.ofNullable(streamOf(place));
  }

  @SuppressWarnings("unchecked") // no stream of another type comes in
  private @Nullable ClientStream<Q> streamOf(@Nullable Object place) {
    return place instanceof ClientStream ? (ClientStream<Q>) place : null;
  }

  @SuppressWarnings("unchecked") // likewise
  private @Nullable Held<Q> heldOf(@Nullable Object place) {
    return place instanceof Held ? (Held<Q>) place : null;
  }

  private boolean isWaiting(@Nullable Object place) {
    Held<Q> held = heldOf(place);
    return place == null || (held != null && !held.led);
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

  /** Ends the call on its stream, unless it was {@linkplain #drop dropped}. */
  void cancel(Status status) {
    hold(stream -> stream.cancel(status));
  }

  private void hold(Consumer<ClientStream<Q>> order) {
    while (true) {
      Object now = place;
      ClientStream<Q> to = streamOf(now);
      if (to != null) {
        order.accept(to);
        return;
      }
      Held<Q> before = heldOf(now);
      boolean led = now == Mark.PLAYED || (before != null && before.led);
      if (now == Mark.DROPPED || PLACE.compareAndSet(this, now, new Held<>(order, before, led))) {
        return;
      }
    }
  }

  /**
   * Plays what was held to the stream, and leads on to it from here on, so that no later order
   * overtakes one that was held; false if the call has ended before.
   */
  boolean leadTo(ClientStream<Q> to) {
    while (true) {
      Object now = place;
      Held<Q> held = heldOf(now);
      if (now == Mark.DROPPED) {
        return false;
      }
      if (held != null && PLACE.compareAndSet(this, now, Mark.PLAYED)) {
        play(held, to);
      } else if (held == null && PLACE.compareAndSet(this, now, to)) {
        return true;
      }
    }
  }

  private void play(Held<Q> held, ClientStream<Q> to) {
    try {
      held.playTo(to);
    } catch (RuntimeException | Error e) {
      place = to; // the call ends by this, and whatever else was ordered with it
      throw e;
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
      if (PLACE.compareAndSet(this, now, Mark.DROPPED)) {
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
