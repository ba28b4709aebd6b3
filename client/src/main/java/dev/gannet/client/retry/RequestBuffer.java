package dev.gannet.client.retry;

import org.jspecify.annotations.Nullable;

/**
 * The request of a call, kept for all its attempts: a linked list of what the application has sent,
 * as its objects, which each attempt serializes again. An attempt remembers the last entry that it
 * was given; entries before those of all attempts are garbage once no other attempt can follow.
 * Guarded by its call's lock.
 */
public final class RequestBuffer<Q> {
  /**
   * What the application has sent at once.
   *
   * <p>Its last field is guarded by the call's lock; the others do not change any more once it is
   * added.
   */
  public static final class Entry<Q> {
    private final @Nullable Q message;
    private final boolean compressed;
    private boolean ends;
    private @Nullable Entry<Q> next;

    private Entry(@Nullable Q message, boolean compressed, boolean ends) {
      this.message = message;
      this.compressed = compressed;
      this.ends = ends;
    }

    /** A message. */
    public static <Q> Entry<Q> message(Q message, boolean compressed) {
      return new Entry<>(message, compressed, false);
    }

    /** The half-close alone. */
    public static <Q> Entry<Q> end() {
      return new Entry<>(null, false, true);
    }

    /** The half-close follows at once. Before it is added. */
    public Entry<Q> andEnd() {
      ends = true;
      return this;
    }

    /** The message; null if the half-close is all. */
    public @Nullable Q message() {
      return message;
    }

    /** Whether the message is to be compressed. */
    public boolean isCompressed() {
      return compressed;
    }

    /** Whether the request ends with it. */
    public boolean ends() {
      return ends;
    }
  }

  /**
   * The cost of a message in addition to its bytes, in bytes: the objects around it. Otherwise any
   * number of empty messages could be kept.
   */
  public static final int ENTRY_BYTES = 64;

  private final ReplayLimits limits;

  /** Null if there is none, or if the attempt that the call is committed to has got it. */
  private @Nullable Entry<Q> first;

  private @Nullable Entry<Q> last;
  private long takenBytes;

  public RequestBuffer(ReplayLimits limits) {
    this.limits = limits;
  }

  /** Adds the next entry, which needs no memory of the limits. */
  public void add(Entry<Q> entry) {
    if (last == null) {
      first = entry;
    } else {
      last.next = entry;
    }
    last = entry;
  }

  /**
   * Reserves memory for a message of this size before compression; returns false if that is too
   * much, so that an attempt has to be committed.
   */
  public boolean reserve(long sizeBytes) {
    long bytes = sizeBytes + ENTRY_BYTES;
    boolean fits = limits.take(bytes, takenBytes);
    if (fits) {
      takenBytes += bytes;
    }
    return fits;
  }

  /**
   * The entry that follows the one that an attempt has got; null if there is none.
   *
   * @param got null if it has got none
   */
  public @Nullable Entry<Q> after(@Nullable Entry<Q> got) {
    return got == null ? first : got.next;
  }

  /** Returns the reserved memory: no other attempt will follow. */
  public void release() {
    limits.release(takenBytes);
    takenBytes = 0;
  }

  /** Drops the first entry, which is not needed any more. Those behind it belong to an attempt. */
  public void forgetFirst() {
    first = null;
  }

  /** Drops all entries. */
  public void clear() {
    first = null;
    last = null;
  }
}
