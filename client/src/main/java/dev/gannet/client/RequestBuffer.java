package dev.gannet.client;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;

/**
 * The messages of a call that its next attempt has to send again: the objects that the application
 * has given, which each attempt writes anew. Guarded by its call's lock.
 *
 * <pre>
 *   KEPT ──an attempt is committed──► PASSED ON (each message goes once it is sent)
 * </pre>
 */
final class RequestBuffer<Q> {
  /** A message, its size before compression, and whether it is to be compressed. */
  record Entry<Q>(Q message, int sizeBytes, boolean isCompressed) {}

  private final ReplayLimits limits;
  private final ArrayDeque<Entry<Q>> entries = new ArrayDeque<>(2);

  /** How many messages were let go. */
  private long gone;

  private long takenBytes;
  private boolean kept = true;

  RequestBuffer(ReplayLimits limits) {
    this.limits = limits;
  }

  /**
   * Takes in the next message; false if it does not fit, so that an attempt has to be committed. It
   * is here in any case, until it is sent.
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

  /** The message behind that many others, if there is one. */
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

  /** No other attempt will follow the one that has sent so many. */
  void commit(long sentMessages) {
    kept = false;
    limits.release(takenBytes);
    takenBytes = 0;
    forget(sentMessages);
  }

  /** The attempt that is committed has sent so many. */
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
