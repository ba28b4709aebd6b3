package dev.gannet.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Attempts of calls that have no pick yet, in the order in which they came, and since when they
 * wait. Safe for all threads.
 *
 * <p>Who adds an attempt looks at the channel's picker after that, and who publishes a picker looks
 * here after that: one of the two sees the other. Whoever removes an attempt decides what becomes
 * of it, so it is decided once.
 */
final class PendingCalls {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Attempt<?, ?>, Long> sinceNanos = new LinkedHashMap<>();

  void add(Attempt<?, ?> attempt, long nowNanos) {
    lock.lock();
    try {
      sinceNanos.put(attempt, nowNanos);
    } finally {
      lock.unlock();
    }
  }

  /** Whether it was here, so that the caller decides what becomes of it. */
  boolean remove(Attempt<?, ?> attempt) {
    lock.lock();
    try {
      return sinceNanos.remove(attempt) != null;
    } finally {
      lock.unlock();
    }
  }

  /** Those that are here now; they stay. */
  List<Attempt<?, ?>> all() {
    lock.lock();
    try {
      return List.copyOf(sinceNanos.keySet());
    } finally {
      lock.unlock();
    }
  }

  /** Those that are here now, taken out. */
  List<Attempt<?, ?>> takeAll() {
    lock.lock();
    try {
      List<Attempt<?, ?>> taken = List.copyOf(sinceNanos.keySet());
      sinceNanos.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  int count() {
    lock.lock();
    try {
      return sinceNanos.size();
    } finally {
      lock.unlock();
    }
  }

  /** How long the one has waited that came first; empty if there is none. */
  OptionalLong longestNanos(long nowNanos) {
    lock.lock();
    try {
      return sinceNanos.values().stream().mapToLong(since -> nowNanos - since).findFirst();
    } finally {
      lock.unlock();
    }
  }
}
