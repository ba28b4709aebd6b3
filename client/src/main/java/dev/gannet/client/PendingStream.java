package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.transport.ClientStream;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a call on their way to the stream of one attempt: passed straight on once there
 * is a stream, buffered in their order until then.
 *
 * <pre>
 *   null ──► Buffered, newest first ──connect──► Replaying ──► the stream
 *     └────────────┴────drop────► DROPPED
 * </pre>
 *
 * <p>Any thread may give commands; one brings the stream and replays to it what was buffered. Who
 * gives a command meanwhile waits for that, which is moments. No lock: most calls have their stream
 * before the first command.
 *
 * <p>An attempt is one, and does not hold one: an object more would be 16 bytes for each call.
 */
sealed class PendingStream<Q> permits Attempt {
  private static final AtomicReferenceFieldUpdater<PendingStream<?>, @Nullable Object> PLACE =
      updater();

  private static final long MOMENT_NANOS = 10_000;

  private enum Mark {
    DROPPED
  }

  /** A command and those before it. */
  private record Buffered<Q>(Consumer<ClientStream<Q>> command, @Nullable Buffered<Q> before) {
    void replayTo(ClientStream<Q> stream) {
      Buffered<Q> oldest = null;
      for (Buffered<Q> one = this; one != null; one = one.before) {
        oldest = new Buffered<>(one.command, oldest);
      }
      for (Buffered<Q> one = oldest; one != null; one = one.before) {
        one.command.accept(stream);
      }
    }
  }

  /** Who replays what was buffered, and to what. */
  private record Replaying<Q>(Thread by, ClientStream<Q> to) {}

  /** One of the states above; null at first. */
  private volatile @Nullable Object place;

  /** Where commands go; null while they go nowhere yet, or not any more. */
  final @Nullable ClientStream<Q> stream() {
    return streamOf(place);
  }

  /** Likewise, but already while what was buffered is replayed: its response may come meanwhile. */
  @SuppressWarnings("unchecked") // no stream of another type comes in
  final @Nullable ClientStream<Q> reachedStream() {
    Object now = place;
    return now instanceof Replaying<?> replaying ? (ClientStream<Q>) replaying.to : streamOf(now);
  }

  @SuppressWarnings("unchecked") // likewise
  private @Nullable ClientStream<Q> streamOf(@Nullable Object place) {
    return place instanceof ClientStream ? (ClientStream<Q>) place : null;
  }

  /** The stream, also for commands that come from the marshaller of one that is being replayed. */
  @SuppressWarnings("unchecked") // likewise
  private @Nullable ClientStream<Q> ownStreamOf(@Nullable Object place) {
    return place instanceof Replaying<?>(Thread by, ClientStream<?> to)
            && by.equals(Thread.currentThread())
        ? (ClientStream<Q>) to
        : streamOf(place);
  }

  @SuppressWarnings("unchecked") // likewise
  private @Nullable Buffered<Q> bufferedOf(@Nullable Object place) {
    return place instanceof Buffered ? (Buffered<Q>) place : null;
  }

  private static boolean isWaiting(@Nullable Object place) {
    return place == null || place instanceof Buffered;
  }

  /** Whether commands need not wait any more: there is a stream, or there will be none. */
  final boolean isSettled() {
    return !isWaiting(place);
  }

  final void sendMessage(Q message, boolean compressed) {
    ClientStream<Q> to = streamOf(place);
    if (to != null) {
      to.send(message, compressed);
    } else {
      command(later -> later.send(message, compressed));
    }
  }

  final void sendHalfClose() {
    ClientStream<Q> to = streamOf(place);
    if (to != null) {
      to.halfClose();
    } else {
      command(ClientStream::halfClose);
    }
  }

  final void sendFlush() {
    ClientStream<Q> to = streamOf(place);
    if (to != null) {
      to.flush();
    } else {
      command(ClientStream::flush);
    }
  }

  /** Runs that on the stream, behind what was commanded before. */
  public final void send(Consumer<ClientStream<?>> command) {
    command(command::accept);
  }

  /** Ends the call on its stream, unless it was {@linkplain #drop dropped}. */
  final void sendCancel(Status status) {
    command(stream -> stream.cancel(status));
  }

  private void command(Consumer<ClientStream<Q>> command) {
    while (true) {
      Object now = place;
      ClientStream<Q> to = ownStreamOf(now);
      if (to != null) {
        command.accept(to);
        return;
      }
      if (now == Mark.DROPPED
          || (isWaiting(now) && move(now, new Buffered<>(command, bufferedOf(now))))) {
        return;
      }
      LockSupport.parkNanos(MOMENT_NANOS);
    }
  }

  private boolean move(@Nullable Object from, Object to) {
    return PLACE.compareAndSet(this, from, to);
  }

  /**
   * Replays what was buffered to the stream, and passes on to it from here on, so that no later
   * command overtakes one that was buffered; false if the call has ended before. Once.
   */
  final boolean connect(ClientStream<Q> to) {
    while (true) {
      Object now = place;
      Buffered<Q> buffered = bufferedOf(now);
      if (!isWaiting(now)) {
        return false;
      }
      if (buffered == null && move(now, to)) {
        return true;
      }
      if (buffered != null && move(now, new Replaying<>(Thread.currentThread(), to))) {
        replay(buffered, to);
        return true;
      }
    }
  }

  private void replay(Buffered<Q> buffered, ClientStream<Q> to) {
    try {
      buffered.replayTo(to);
    } finally {
      place = to; // where it fails too: the call ends by that, and nobody must wait on
    }
  }

  /**
   * Forgets what was buffered and takes no more; false if there is a stream, or this was done
   * before.
   */
  final boolean drop() {
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
  private static AtomicReferenceFieldUpdater<PendingStream<?>, @Nullable Object> updater() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(PendingStream.class, Object.class, "place");
  }
}
