package dev.gannet.client;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;

/**
 * The messages of a call that its next attempt has to send again: the application's objects, which
 * each attempt serializes again. Guarded by its call's lock.
 *
 * <pre>
 *   KEPT ──an attempt is committed──► PASSED ON (each message is dropped once it is sent)
 * </pre>
 */
final class RequestBuffer<Q> {
  /** A message, its size before compression, and whether it is to be compressed. */
  record Entry<Q>(Q message, int sizeBytes, boolean isCompressed) {}

  private final ReplayLimits limits;
  private final ArrayDeque<Entry<Q>> entries = new ArrayDeque<>(2);

  /** The number of dropped messages. */
  private long gone;

  private long takenBytes;
  private boolean kept = true;

  RequestBuffer(ReplayLimits limits) {
    this.limits = limits;
  }

  /**
   * Adds the next message; returns false if it does not fit, so that an attempt has to be
   * committed. It is stored in any case, until it is sent.
   */
  boolean add(Entry<Q> entry) {
    entries.add(entry);
    if (!kept) {
      return true;
    }
    boolean fits = limits.take(entry.sizeBytes(), takenBytes);
    if (fits) {
      takenBytes += entry.sizeBytes();
    }
    return fits;
  }

  /** The message with this number, if there is one. */
  Optional<Entry<Q>> get(long number) {
    if (number >= gone + entries.size()) {
      return Optional.empty();
    }
    if (number == gone) {
      return Optional.of(entries.getFirst());
    }
    Iterator<Entry<Q>> each = entries.iterator();
    for (long i = gone; i < number; i++) {
      each.next();
    }
    return Optional.of(each.next());
  }

  /** No other attempt will follow the one that has sent this many messages. */
  void commit(long sentMessages) {
    kept = false;
    limits.release(takenBytes);
    takenBytes = 0;
    forget(sentMessages);
  }

  /** The committed attempt has sent this many messages. */
  void forget(long sentMessages) {
    while (!kept && gone < sentMessages && !entries.isEmpty()) {
      entries.removeFirst();
      gone++;
    }
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }
}
