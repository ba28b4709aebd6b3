package dev.gannet.client.subchannel;

import dev.gannet.client.balancer.Pick;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Attempts of calls that have no pick yet, in the order of their arrival, and since when they wait.
 * Safe for all threads.
 *
 * <p>Write-then-check: a thread adds an attempt, then checks the channel's picker; a thread
 * publishes a picker, then checks the attempts here. At least one of the two sees the other. The
 * thread that removes an attempt decides how it continues, so this is decided once.
 */
public final class PendingCalls {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<PendingAttempt, Waiting> attempts = new LinkedHashMap<>();

  /** Since when and why an attempt waits, and the pool in which it waits for a stream, if any. */
  private static final class Waiting {
    private final long sinceNanos;
    private @Nullable ConnectionPool pool;

    /** Why it waits; kept, because a picker must not be asked about calls that do not start. */
    private Pick lastPick = Pick.queue();

    Waiting(long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }

    void leavePool(PendingAttempt attempt) {
      ConnectionPool left = pool;
      if (left != null) {
        left.forget(attempt);
      }
    }
  }

  void add(PendingAttempt attempt, long nowNanos) {
    lock.lock();
    try {
      attempts.put(attempt, new Waiting(nowNanos));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns whether it was here, so that the caller decides how it continues. The call records how
   * long it has waited.
   */
  boolean remove(PendingAttempt attempt) {
    Waiting removed;
    lock.lock();
    try {
      removed = attempts.remove(attempt);
    } finally {
      lock.unlock();
    }
    if (removed == null) {
      return false;
    }
    removed.leavePool(attempt);
    attempt.onWaited(removed.sinceNanos);
    return true;
  }

  /**
   * The attempt waits for a stream in this pool, and in no other; returns false if it is not here.
   */
  boolean bind(PendingAttempt attempt, ConnectionPool pool) {
    ConnectionPool before;
    lock.lock();
    try {
      Waiting waiting = attempts.get(attempt);
      if (waiting == null) {
        return false;
      }
      before = waiting.pool;
      waiting.pool = pool;
    } finally {
      lock.unlock();
    }
    if (before != null && !before.equals(pool)) {
      before.forget(attempt);
    }
    return true;
  }

  /** The pool in which the attempt waits for a stream; empty if it waits for a picker. */
  public Optional<ConnectionPool> poolOf(PendingAttempt attempt) {
    lock.lock();
    try {
      Waiting waiting = attempts.get(attempt);
      return waiting == null ? Optional.empty() : Optional.ofNullable(waiting.pool);
    } finally {
      lock.unlock();
    }
  }

  /** The attempt was picked for, and waits. */
  void keep(PendingAttempt attempt, Pick pick) {
    lock.lock();
    try {
      Waiting waiting = attempts.get(attempt);
      if (waiting != null) {
        waiting.lastPick = pick;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The last decision about the attempt; empty if it does not wait. */
  Optional<Pick> lastPick(PendingAttempt attempt) {
    lock.lock();
    try {
      Waiting waiting = attempts.get(attempt);
      return waiting == null ? Optional.empty() : Optional.of(waiting.lastPick);
    } finally {
      lock.unlock();
    }
  }

  /** Since when the attempt waits; empty if it does not. */
  public OptionalLong sinceNanos(PendingAttempt attempt) {
    lock.lock();
    try {
      Waiting waiting = attempts.get(attempt);
      return waiting == null ? OptionalLong.empty() : OptionalLong.of(waiting.sinceNanos);
    } finally {
      lock.unlock();
    }
  }

  /** The current attempts; they are not removed. */
  List<PendingAttempt> all() {
    lock.lock();
    try {
      return List.copyOf(attempts.keySet());
    } finally {
      lock.unlock();
    }
  }

  /** Removes and returns the current attempts. */
  List<PendingAttempt> takeAll() {
    Map<PendingAttempt, Waiting> taken;
    lock.lock();
    try {
      taken = new LinkedHashMap<>(attempts);
      attempts.clear();
    } finally {
      lock.unlock();
    }
    taken.forEach((attempt, waiting) -> {
      waiting.leavePool(attempt);
      attempt.onWaited(waiting.sinceNanos);
    });
    return List.copyOf(taken.keySet());
  }

  public int count() {
    lock.lock();
    try {
      return attempts.size();
    } finally {
      lock.unlock();
    }
  }

  /** How long the oldest one has waited; empty if there is none. */
  public OptionalLong longestNanos(long nowNanos) {
    lock.lock();
    try {
      return attempts.values().stream().mapToLong(it -> nowNanos - it.sinceNanos).findFirst();
    } finally {
      lock.unlock();
    }
  }
}
