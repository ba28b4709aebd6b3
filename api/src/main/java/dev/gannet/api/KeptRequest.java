package dev.gannet.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the caller of a {@link RepeatableClientCall} has sent and requested so far. The calls that
 * are made for it, one after the other, are given all of it. Once one of them is not repeated any
 * more, what it was given is not kept.
 *
 * <pre>
 *   NONE ──expect──► EXPECTED ──onStarted──► RUNS       each of them ──end──► OVER
 *                     ▲   └──restart──► FAILED ◄──restart──┘
 *                     └──────expect────────┘
 * </pre>
 *
 * <p>Safe for all threads, except {@link #fits}, which is for the thread that sends. One thread at
 * a time gives the current call what it does not have yet, for all threads that add something
 * meanwhile. It does so without the lock, because the call may come back here. No other code is
 * called under the lock.
 *
 * @param <Q> the request message
 */
final class KeptRequest<Q> {
  /** What a message takes beside its content. */
  private static final long ENTRY_BYTES = 64;

  /** How far the current call is. */
  private enum Phase {
    NONE,
    EXPECTED,
    /** The only phase in which a call is given something. */
    RUNS,
    /** It may be followed by another one. */
    FAILED,
    OVER
  }

  /** A message of the caller, and whether it may be compressed. */
  private record Sent<Q>(Q message, boolean compressed) {}

  /** How much of it a call was given. */
  private static final class Given {
    private int messages;
    private long requests;
    private boolean halfClose;
    private boolean compressed = true;
  }

  /** The next thing that a call has to be given. */
  private record Step<Q>(
      ClientCall<Q, ?> call, int requested, @Nullable Sent<Q> message, boolean changesCompression) {
    void run() {
      if (requested > 0) {
        call.request(requested);
      } else if (message == null) {
        call.halfClose();
      } else {
        if (changesCompression) {
          call.setMessageCompression(message.compressed());
        }
        call.sendMessage(message.message());
      }
    }
  }

  private final Marshaller<Q> marshaller;
  private final ReentrantLock lock = new ReentrantLock();

  /** Belongs to the caller, who sends on one thread at a time. */
  private long sentBytes;

  // Guarded by the lock: what the caller has done.
  private final List<Sent<Q>> sent = new ArrayList<>();
  private long requested;
  private boolean halfClosed;
  private boolean compressed = true;

  // Guarded by the lock: what the current call knows of it, which is given nothing before it runs.
  private @Nullable ClientCall<Q, ?> current;
  private Phase phase = Phase.NONE;
  private Given given = new Given();

  // Guarded by the lock: what is left to do.
  private boolean isGiving;
  private boolean isSettled;

  KeptRequest(Marshaller<Q> marshaller) {
    this.marshaller = marshaller;
  }

  /**
   * Counts a message that is sent next, and returns false if all of them are more than that.
   * Without the lock, because it calls the marshaller.
   */
  boolean fits(Q message, long maxBytes) {
    try {
      sentBytes += marshaller.sizeBytes(message) + ENTRY_BYTES;
      return sentBytes <= maxBytes;
    } catch (Throwable e) { // the call that gets the message says so
      return false;
    }
  }

  /** Why this must not be sent; empty if it may be, or if nothing is sent any more. */
  Optional<String> faultOf(@Nullable Q message) {
    lock.lock();
    try {
      if (phase == Phase.OVER) {
        return Optional.empty();
      }
      if (halfClosed) {
        return Optional.of("no message can follow the half-close");
      }
      return message == null
          ? Optional.of("the caller sent null instead of a request message")
          : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** Adds a message, unless nothing is sent any more. */
  void add(Q message) {
    lock.lock();
    try {
      if (phase != Phase.OVER) {
        sent.add(new Sent<>(message, compressed));
      }
    } finally {
      lock.unlock();
    }
  }

  void request(int messages) {
    lock.lock();
    try {
      requested += messages;
    } finally {
      lock.unlock();
    }
  }

  void halfClose() {
    lock.lock();
    try {
      halfClosed = true;
    } finally {
      lock.unlock();
    }
  }

  /** Whether messages that are added from now on may be compressed. */
  void compress(boolean enabled) {
    lock.lock();
    try {
      compressed = enabled;
    } finally {
      lock.unlock();
    }
  }

  /** The current call has failed, whether it runs or not. The next one is given everything. */
  void restart() {
    lock.lock();
    try {
      moveTo(Phase.FAILED);
      given = new Given();
    } finally {
      lock.unlock();
    }
  }

  /** This call starts next, and is the current one until it fails. */
  void expect(ClientCall<Q, ?> call) {
    lock.lock();
    try {
      current = call;
      moveTo(Phase.EXPECTED);
    } finally {
      lock.unlock();
    }
  }

  /** Guarded by the lock. */
  private void moveTo(Phase next) {
    phase = phase == Phase.OVER ? Phase.OVER : next;
  }

  /** The call has started. It may have failed meanwhile, and be replaced: then nothing changes. */
  @SuppressWarnings("ReferenceEquality") // that very call
  void onStarted(ClientCall<Q, ?> call) {
    lock.lock();
    try {
      if (phase == Phase.EXPECTED && current == call) {
        phase = Phase.RUNS;
      }
    } finally {
      lock.unlock();
    }
  }

  /** There is no further call: what the current one was given is not kept. */
  void settle() {
    lock.lock();
    try {
      isSettled = true;
      forgetGiven();
    } finally {
      lock.unlock();
    }
  }

  private void forgetGiven() {
    sent.subList(0, given.messages).clear();
    given.messages = 0;
  }

  /** The call has ended: nothing is kept or given any more. */
  void end() {
    lock.lock();
    try {
      phase = Phase.OVER;
      sent.clear();
      given.messages = 0;
    } finally {
      lock.unlock();
    }
  }

  /** Like {@link #offer}, for the caller who sends: throws what the call has thrown. */
  void give() {
    Throwable thrown = offer();
    if (thrown != null) {
      throw unchecked(thrown);
    }
  }

  /** What methods of calls throw, as long as they only throw what they may. */
  static RuntimeException unchecked(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException known ? known : new IllegalStateException(thrown);
  }

  /**
   * Gives the current call what it does not have yet, unless a thread is doing so: then that one
   * goes on. What a call throws that is or may be replaced concerns nobody: the next one is given
   * all of it again, and has its own end.
   *
   * @return what the current call has thrown; null if nothing
   */
  @Nullable Throwable offer() {
    if (!startGiving()) {
      return null;
    }
    for (Step<Q> step = next(); step != null; step = next()) {
      try {
        step.run();
      } catch (Throwable e) {
        if (stopGivingTo(step.call())) {
          return e;
        }
      }
    }
    return null;
  }

  private boolean startGiving() {
    lock.lock();
    try {
      boolean starts = !isGiving;
      isGiving = true;
      return starts;
    } finally {
      lock.unlock();
    }
  }

  /** The call has thrown an exception; returns false if another one follows it, or may. */
  @SuppressWarnings("ReferenceEquality") // that very call
  private boolean stopGivingTo(ClientCall<Q, ?> call) {
    lock.lock();
    try {
      boolean isLast = current == call && phase != Phase.FAILED;
      isGiving = !isLast;
      return isLast;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Step<Q> next() {
    lock.lock();
    try {
      ClientCall<Q, ?> call = current;
      Step<Q> step = call == null || phase != Phase.RUNS ? null : nextFor(call);
      isGiving = step != null;
      return step;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Step<Q> nextFor(ClientCall<Q, ?> call) {
    if (given.requests < requested) {
      int more = (int) Math.min(Integer.MAX_VALUE, requested - given.requests);
      given.requests += more;
      return new Step<>(call, more, null, false);
    }
    if (given.messages < sent.size()) {
      Sent<Q> message = sent.get(given.messages++);
      boolean changes = given.compressed != message.compressed();
      given.compressed = message.compressed();
      if (isSettled) {
        forgetGiven();
      }
      return new Step<>(call, 0, message, changes);
    }
    if (halfClosed && !given.halfClose) {
      given.halfClose = true;
      return new Step<>(call, 0, null, false);
    }
    return null;
  }
}
