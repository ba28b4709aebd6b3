package dev.gannet.client;

import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

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

  /**
   * The cost of a message in addition to its bytes, in bytes: the objects around it. Otherwise any
   * number of empty messages could be kept.
   */
  static final int ENTRY_BYTES = 64;

  private static final int FEW = 16;

  private final ReplayLimits limits;

  /** The messages behind those that {@link #dropped} counts; null where one was let go. */
  private final ArrayList<@Nullable Entry<Q>> entries = new ArrayList<>(2);

  private long dropped;

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
    long bytes = (long) entry.sizeBytes() + ENTRY_BYTES;
    boolean fits = limits.take(bytes, takenBytes);
    if (fits) {
      takenBytes += bytes;
    }
    return fits;
  }

  /** The message with this number; null if there is none. */
  @Nullable Entry<Q> get(long number) {
    long place = number - dropped;
    return place >= 0 && place < entries.size() ? entries.get((int) place) : null;
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
    while (!kept && gone < sentMessages && !isEmpty()) {
      entries.set((int) (gone - dropped), null);
      gone++;
    }
    int left = (int) (gone - dropped);
    if (left == entries.size()) {
      entries.clear();
      dropped = gone;
    } else if (left >= FEW && left >= entries.size() / 2) {
      entries.subList(0, left).clear();
      dropped = gone;
    }
  }

  boolean isEmpty() {
    return gone - dropped == entries.size();
  }
}
