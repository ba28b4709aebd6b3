package dev.gannet.client.call;

import dev.gannet.api.Status;
import dev.gannet.transport.ClientStream;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a call on their way to the stream of one attempt: buffered in order until there
 * is a stream, and passed directly to it afterwards.
 *
 * <pre>
 *   null ──► Buffered, newest first ──connect──► Replaying ──────────────► the stream
 *     │            │                                └──cancel──► Stopping ──────▲
 *     └────────────┴──dropCommands──► DROPPED
 * </pre>
 *
 * <p>Any thread may give commands; one thread provides the stream and replays the buffered commands
 * to it. Other threads that give commands wait for the end of the replay, unless it is Stopping:
 * then the stream has been cancelled, and their commands are dropped like the rest of the replay. A
 * thread that cancels never waits, because a replayed message can take long to marshal. There is no
 * lock: most calls have their stream before the first command.
 *
 * <p>An attempt extends this class instead of containing an instance, which saves 16 bytes per
 * call.
 */
sealed class PendingStream<Q> permits Attempt {
  private static final AtomicReferenceFieldUpdater<PendingStream<?>, @Nullable Object> PLACE =
      updater();

  private static final long MOMENT_NANOS = 10_000;

  private enum Mark {
    DROPPED
  }

  /** The command to send a message. */
  private record Message<Q>(Q message, boolean compressed) implements Consumer<ClientStream<Q>> {
    @Override
    public void accept(ClientStream<Q> stream) {
      stream.send(message, compressed);
    }
  }

  /** A command and those before it. */
  private record Buffered<Q>(Consumer<ClientStream<Q>> command, @Nullable Buffered<Q> before) {
    /** The same commands, oldest first: {@code before} is the next one. */
    @Nullable Buffered<Q> oldestFirst() {
      Buffered<Q> oldest = null;
      for (Buffered<Q> one = this; one != null; one = one.before) {
        oldest = new Buffered<>(one.command, oldest);
      }
      return oldest;
    }
  }

  /** The thread that replays buffered commands, and the stream. */
  private record Replaying<Q>(Thread thread, ClientStream<Q> stream) {}

  /** The stream was cancelled while a thread replays; that thread ends after its command. */
  private record Stopping<Q>(ClientStream<Q> stream) {}

  /** One of the states above; null at first. */
  private volatile @Nullable Object place;

  /** The stream for commands; null if there is none yet, or not any more. */
  final @Nullable ClientStream<Q> stream() {
    return streamOf(place);
  }

  /**
   * The stream for commands, also while buffered ones are replayed: its response may arrive in that
   * time.
   */
  final @Nullable ClientStream<Q> reachedStream() {
    return reachedStreamOf(place);
  }

  @SuppressWarnings("unchecked") // no stream of another type is stored
  private @Nullable ClientStream<Q> reachedStreamOf(@Nullable Object now) {
    if (now instanceof Replaying<?> replaying) {
      return (ClientStream<Q>) replaying.stream;
    }
    return now instanceof Stopping<?> stopping ? (ClientStream<Q>) stopping.stream : streamOf(now);
  }

  @SuppressWarnings("unchecked") // no stream of another type is stored
  private @Nullable ClientStream<Q> streamOf(@Nullable Object place) {
    return place instanceof ClientStream ? (ClientStream<Q>) place : null;
  }

  /** The stream, also for commands that the marshaller of a replayed message gives. */
  @SuppressWarnings("unchecked") // no stream of another type is stored
  private @Nullable ClientStream<Q> ownStreamOf(@Nullable Object place) {
    return place instanceof Replaying<?>(Thread thread, ClientStream<?> stream)
            && thread.equals(Thread.currentThread())
        ? (ClientStream<Q>) stream
        : streamOf(place);
  }

  @SuppressWarnings("unchecked") // no stream of another type is stored
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

  /** Whether more than one message is buffered. */
  public final boolean hasSeveralMessages() {
    int messages = 0;
    for (Buffered<Q> one = bufferedOf(place); one != null && messages < 2; one = one.before) {
      if (one.command instanceof Message) {
        messages++;
      }
    }
    return messages == 2;
  }

  final void sendMessage(Q message, boolean compressed) {
    ClientStream<Q> stream = streamOf(place);
    if (stream != null) {
      stream.send(message, compressed);
    } else {
      command(new Message<>(message, compressed));
    }
  }

  final void sendHalfClose() {
    ClientStream<Q> stream = streamOf(place);
    if (stream != null) {
      stream.halfClose();
    } else {
      command(ClientStream::halfClose);
    }
  }

  final void sendFlush() {
    ClientStream<Q> stream = streamOf(place);
    if (stream != null) {
      stream.flush();
    } else {
      command(ClientStream::flush);
    }
  }

  /** Runs the command on the stream, after earlier commands. */
  public final void send(Consumer<ClientStream<?>> command) {
    command(command::accept);
  }

  /**
   * Ends the call on its stream, if it has one: before the commands that are still being replayed.
   * Does not wait for them. If there was no stream before, {@link #dropCommands} has to be called
   * first.
   */
  final void cancelStream(Status status) {
    Object now = place;
    ClientStream<Q> stream = reachedStreamOf(now);
    if (now instanceof Replaying) {
      move(now, new Stopping<>(Objects.requireNonNull(stream))); // otherwise the replay is over
    }
    if (stream != null) {
      stream.cancel(status);
    }
  }

  private void command(Consumer<ClientStream<Q>> command) {
    while (true) {
      Object now = place;
      ClientStream<Q> stream = ownStreamOf(now);
      if (stream != null) {
        command.accept(stream);
        return;
      }
      if (now == Mark.DROPPED
          || now instanceof Stopping
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
   * Replays the buffered commands to the stream. Later commands are passed to it directly, but
   * never overtake buffered ones. Returns false if the call has ended before. Called once.
   */
  final boolean connect(ClientStream<Q> stream) {
    while (true) {
      Object now = place;
      Buffered<Q> buffered = bufferedOf(now);
      if (!isWaiting(now)) {
        return false;
      }
      if (buffered == null && move(now, stream)) {
        return true;
      }
      if (buffered != null && move(now, new Replaying<>(Thread.currentThread(), stream))) {
        replay(buffered, stream);
        return true;
      }
    }
  }

  private void replay(Buffered<Q> buffered, ClientStream<Q> stream) {
    try {
      for (Buffered<Q> one = buffered.oldestFirst();
          one != null && place instanceof Replaying;
          one = one.before) {
        one.command.accept(stream);
      }
    } finally {
      place = stream; // also if it fails: the call ends by that, and nobody must wait any more
    }
  }

  /**
   * Drops the buffered commands and accepts no more; returns false if there is a stream, or if it
   * was already dropped.
   */
  final boolean dropCommands() {
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
