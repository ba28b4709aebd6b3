package dev.gannet.client.retry;

import org.jspecify.annotations.Nullable;

/**
 * The request of a call, kept for all its attempts. Each attempt reads all of it in the caller's
 * order, also an attempt that begins later. The request is a linked list of the objects that the
 * application has sent; each attempt serializes them again.
 *
 * <pre>
 *   KEPT ──commit──► PASSED_ON ──the reader has got all so far──► DIRECT
 *    └──────────────────┴─────the reader gets no more────────────────┴──► OVER
 * </pre>
 *
 * <p>The contract: nothing is sent here. The caller calls one method at a time, which it ensures by
 * a lock of its own; only {@link #state} may be read without it. A thread that was given an entry
 * sends it, and asks for the next one, until there is none; until then, {@link #claim} gives the
 * same reader's entries to no other thread. So an attempt gets the request from one thread at a
 * time, and the lock need not be held while it does.
 *
 * <pre>
 *   input       KEPT                      PASSED_ON                 DIRECT     OVER
 *   add         is added if it fits       is added                  not added  not added
 *   addBeyond   is added if it is little  -                         -          -
 *   claim/next  the next entry, if any    the same; none: DIRECT    none       none
 *   complete    the reader is COMPLETE    OVER                      OVER       OVER
 *   commit      PASSED_ON, DIRECT, OVER   -                         -          -
 *   drop        OVER                      OVER                      OVER       OVER
 * </pre>
 *
 * <p>An entry that all readers have got is garbage once no other attempt can follow. The memory of
 * the {@link ReplayLimits} is returned when the request is DIRECT or OVER.
 */
public final class RequestBuffer<Q> {
  /** What happens to the next message of the application. */
  public enum State {
    /** Everything is kept for further attempts. */
    KEPT,
    /** There is one attempt, which still lacks a part; entries that it has got are dropped. */
    PASSED_ON,
    /** Nothing is kept: everything is sent to the one attempt directly. */
    DIRECT,
    /** The half-close was sent, or the call has ended: everything is dropped. */
    OVER
  }

  /** How far the request has got to an attempt. */
  private enum Progress {
    /** The attempt has got all that there is so far. */
    IDLE,
    /** A thread is giving the request to the attempt. */
    BUSY,
    /** The attempt gets nothing any more: it has got the half-close, or is not wanted any more. */
    COMPLETE
  }

  /** An attempt, as it reads the request. */
  public static class Reader<Q> {
    private Progress progress = Progress.IDLE;

    /** The last entry that it was given; null if there is none. */
    private @Nullable Entry<Q> got;

    private int gotCount;

    /** One that has got nothing. */
    public Reader() {}

    /** How many entries it was given. */
    public final int gotCount() {
      return gotCount;
    }
  }

  /** What the application has sent at once. It does not change any more once it is added. */
  public static final class Entry<Q> {
    private final @Nullable Q message;
    private final boolean compressed;
    private final boolean ends;
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

    /** The only message, which the half-close follows at once. */
    public static <Q> Entry<Q> whole(Q message, boolean compressed) {
      return new Entry<>(message, compressed, true);
    }

    /** The half-close alone. */
    public static <Q> Entry<Q> end() {
      return new Entry<>(null, false, true);
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

  /**
   * What may be added beyond the limits while no attempt runs, in bytes, each message with its
   * {@link #ENTRY_BYTES}; more than that if it is one message. As much as the queue of a call whose
   * server does not read: callers that wait until the call is ready never need more than one
   * message, and those that send a little without asking do not fail.
   */
  public static final int BEYOND_BYTES = 64 * 1024;

  private final ReplayLimits limits;

  /** Null if there is none, or if the attempt that the call is committed to has got it. */
  private @Nullable Entry<Q> first;

  private @Nullable Entry<Q> last;
  private long reservedBytes;
  private long beyondBytes;

  /** Null while KEPT: a volatile write costs a fence. Read by any thread. */
  private volatile @Nullable State later;

  public RequestBuffer(ReplayLimits limits) {
    this.limits = limits;
  }

  /** What happens to the next message of the application. Any thread. */
  public State state() {
    State now = later;
    return now == null ? State.KEPT : now;
  }

  /**
   * Adds the next entry, unless the request is DIRECT or OVER. Returns false if it is not added
   * because it exceeds the limits: then the call has to be committed to an attempt, and the entry
   * is added again; or {@linkplain #addBeyond beyond the limits}, if no attempt runs.
   *
   * @param sizeBytes the size of the message before compression; 0 if there is none
   */
  public boolean add(Entry<Q> entry, int sizeBytes) {
    State now = state();
    if (now == State.DIRECT || now == State.OVER) {
      return true;
    }
    boolean fits = entry.message == null || now == State.PASSED_ON || tryReserve(sizeBytes);
    if (fits) {
      link(entry);
    }
    return fits;
  }

  /**
   * Adds an entry that exceeds the limits, because the next attempt is the last and has not begun.
   * Returns false if there is no room for it either.
   */
  public boolean addBeyond(Entry<Q> entry, int sizeBytes) {
    long bytes = beyondBytes + sizeBytes + ENTRY_BYTES;
    if (beyondBytes > 0 && bytes > BEYOND_BYTES) {
      return false;
    }
    beyondBytes = bytes;
    link(entry);
    return true;
  }

  private void link(Entry<Q> entry) {
    if (last == null) {
      first = entry;
    } else {
      last.next = entry;
    }
    last = entry;
  }

  /** What a message of that size takes. */
  public static long bytesOf(int sizeBytes) {
    return (long) sizeBytes + ENTRY_BYTES;
  }

  private boolean tryReserve(int sizeBytes) {
    long bytes = bytesOf(sizeBytes);
    boolean fits = limits.take(bytes, reservedBytes);
    if (fits) {
      reservedBytes += bytes;
    }
    return fits;
  }

  /**
   * The next entry for the reader, which this thread sends from now on, until it is given none;
   * null if there is none, or if another thread is sending.
   */
  public @Nullable Entry<Q> claim(Reader<Q> reader) {
    return reader.progress == Progress.BUSY ? null : next(reader);
  }

  /** The next entry, for the thread that has sent the one before; null if there is none. */
  public @Nullable Entry<Q> next(Reader<Q> reader) {
    if (reader.progress == Progress.COMPLETE) {
      return null;
    }
    Entry<Q> next = after(reader);
    if (next == null) {
      reader.progress = Progress.IDLE;
      if (later == State.PASSED_ON) {
        passDirectly(reader);
      }
      return null;
    }
    reader.got = next;
    reader.gotCount++;
    if (later != null) {
      first = null;
    }
    reader.progress = Progress.BUSY;
    if (next.ends) {
      complete(reader);
    }
    return next;
  }

  private @Nullable Entry<Q> after(Reader<Q> reader) {
    return reader.got == null ? first : reader.got.next;
  }

  /** The reader has got all, or cannot get it; another one may still need it. */
  public void complete(Reader<Q> reader) {
    leave(reader);
    if (later != null) {
      keepNothing(State.OVER);
    }
  }

  /** The reader gets nothing any more: its attempt has ended, or another one is chosen. */
  public void leave(Reader<Q> reader) {
    reader.progress = Progress.COMPLETE;
    reader.got = null;
  }

  /**
   * The attempt with this reader is the only one from now on: no other follows, and earlier ones
   * were left. Returns whether it lacks an entry that no thread is sending.
   */
  public boolean commit(Reader<Q> only) {
    if (only.progress == Progress.COMPLETE) {
      keepNothing(State.OVER);
      return false;
    }
    boolean lacks = only.progress == Progress.IDLE && after(only) != null;
    if (only.progress == Progress.IDLE && !lacks) {
      passDirectly(only);
      return false;
    }
    if (only.got != null) {
      first = null;
    }
    later = State.PASSED_ON;
    return lacks;
  }

  private void passDirectly(Reader<Q> only) {
    only.got = null;
    keepNothing(State.DIRECT);
  }

  /** The call has ended without an attempt. */
  public void drop() {
    keepNothing(State.OVER);
  }

  private void keepNothing(State next) {
    first = null;
    last = null;
    limits.release(reservedBytes);
    reservedBytes = 0;
    later = next;
  }
}
