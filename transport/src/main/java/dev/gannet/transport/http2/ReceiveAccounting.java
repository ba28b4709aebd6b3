package dev.gannet.transport.http2;

import dev.gannet.api.Status;
import dev.gannet.http2.connection.Http2Connection;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What the calls of one connection hold of what arrived: whole messages that nobody has taken, and
 * parts of messages. Told to HTTP/2, which gives windows back accordingly.
 *
 * <p>Readers who wait for nothing but the rest of a message could wait for ever once the bound is
 * reached. So one message, the <b>leading</b> one, does not count: it is let in to its end, then
 * the next leads; sooner if it makes less than {@value #MIN_LEADING_BYTES} bytes of 20 seconds. The
 * connection holds at most its bound, its window and one message.
 *
 * <p>Parts of messages are the peer's to complete. While they and all else are more than {@value
 * #CALM_BYTES} bytes, calls are ended whose message stands still although their peer may send. One
 * look every 20 seconds sees that, the second time it is the end. There is one, too, while others
 * wait for the leading message, however little is held: small windows and short memory lower the
 * bound.
 *
 * <p>Where the memory of the process is scarce, what is held by one connection tells little, for
 * there may be thousands. Then there is a look every 5 seconds, and calls are ended whose message,
 * or whose single request, was begun and stands still at two of them, however little it is.
 *
 * <p>Counts are exact for whatever the loop has touched. What readers took meanwhile is seen when
 * their call is touched again, or when much seems to be held and all are counted anew. Confined to
 * the connection's loop.
 */
final class ReceiveAccounting implements Timed {
  /** Below this nothing is looked into. */
  static final int CALM_BYTES = 1 << 20;

  /** Parts below this do not lead unless they have to wait. */
  private static final int MIN_LEADING_BYTES = 64 << 10;

  /** How much more must be held before all is counted anew. */
  private static final int COUNTING_STEP_BYTES = 256 << 10;

  private static final long LOOK_NANOS = Duration.ofSeconds(20).toNanos();
  private static final Status STANDS_STILL =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "an incomplete message made no progress while its connection held much unread data");

  /** How often that is looked at where memory is scarce. */
  private static final long SCARCE_LOOK_NANOS = Duration.ofSeconds(5).toNanos();

  private static final Status SCARCE =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "memory is scarce (half of memoryBudget is used), and an incomplete message or request"
              + " made no progress for 5 s");

  private final ConnectionLoop loop;
  private final LeftUnread left = new LeftUnread(this);
  private final ArrayDeque<IncomingMessages> waiting = new ArrayDeque<>();
  private long bytes;
  private long spareBytes;
  private @Nullable IncomingMessages leading;
  private int leadingBytes;
  private int leadingBytesAtLook;
  private long bytesAtCount = CALM_BYTES;
  private int windowBytes;
  private boolean allMayComeOn;
  private long lookAtNanos;
  private int heapIndex = DeadlineHeap.OUTSIDE;

  ReceiveAccounting(ConnectionLoop loop) {
    this.loop = loop;
  }

  /** Everything that is held, in bytes as they arrived. */
  long bytes() {
    return bytes;
  }

  /** Ended calls that nobody has read to their end. */
  LeftUnread left() {
    return left;
  }

  /** Memory besides: for what is missing of messages, and for what nobody will hear. */
  long spareBytes() {
    return spareBytes;
  }

  /** The memory of all that is held, in bytes. */
  long memoryBytes() {
    return bytes + spareBytes;
  }

  /**
   * A call holds so much more than before, or less.
   *
   * @param spare change of memory besides: for what is missing of a message, and for the messages
   *     themselves
   */
  void change(IncomingMessages call, int change, int spare) {
    bytes += change;
    spareBytes += spare;
    int leadingBefore = leadingBytes;
    if (call == leading) {
      boolean goesOn = call.waitsForItsRestAlone() && call.partBytes() >= leadingBytes;
      leading = goesOn ? call : null;
      leadingBytes = goesOn ? call.partBytes() : 0;
    } else if (leading == null && call.partBytes() >= MIN_LEADING_BYTES) {
      lead(call);
    }
    int told = change - (leadingBytes - leadingBefore);
    if (told != 0) {
      connection().hold(told);
    }
  }

  private void lead(IncomingMessages call) {
    if (call.waitsForItsRestAlone()) {
      leading = call;
      leadingBytes = call.partBytes();
    }
  }

  /** Whether a message that is longer than its stream's window may come on. */
  boolean mayComeOn(IncomingMessages call) {
    return call == leading || allMayComeOn || connection().hasRoom();
  }

  /** Has the call give its window back once {@link #mayComeOn} says yes. */
  void await(IncomingMessages call) {
    waiting.add(call);
  }

  /** At the end of a batch: everyone goes on who may, and who should is watched. */
  void settle() {
    if (bytes > bytesAtCount + COUNTING_STEP_BYTES) {
      loop.forEach(CallStream.class, call -> call.incoming.countAnew());
      bytesAtCount = bytes;
    } else if (bytes < bytesAtCount) {
      bytesAtCount = Math.max(CALM_BYTES, bytes);
    }
    if (windowBytes != connection().streamWindowBytes()) {
      windowBytes = connection().streamWindowBytes();
      loop.forEach(CallStream.class, call -> call.incoming.giveWindowBack());
    }
    if (!waiting.isEmpty()) {
      letOn();
    }
    if (isOwedWhileScarce()) {
      watchWithin(SCARCE_LOOK_NANOS + loop.memory().spreadNanos());
    } else if (bytes > CALM_BYTES || !waiting.isEmpty() || allMayComeOn) {
      watchWithin(LOOK_NANOS);
    }
  }

  private boolean isOwedWhileScarce() {
    return loop.memory().isScarce() && (bytes > 0 || loop.memory().hasUnfinishedCalls());
  }

  private void watchWithin(long nanos) {
    boolean watched = heapIndex != DeadlineHeap.OUTSIDE;
    if (watched && nanos >= LOOK_NANOS) {
      return;
    }
    long nowNanos = loop.nanoTime();
    if (!watched || lookAtNanos - nowNanos > nanos) {
      loop.unwatch(this);
      lookAtNanos = nowNanos + nanos;
      loop.watch(this);
    }
  }

  private void letOn() {
    boolean again;
    do {
      again = false;
      for (int i = waiting.size(); i > 0 && (leading == null || mayComeOn(waiting.peek())); i--) {
        IncomingMessages next = waiting.remove();
        if (leading == null) {
          lead(next);
          connection().hold(-leadingBytes);
        }
        next.comeOn();
        again |= leading == null && next.waitsForItsRestAlone(); // its reader was busy just now
      }
    } while (again);
  }

  /**
   * Ends what stands still, unless it is messages that wait for their readers that let nothing
   * come; where the leading message does, others may come on meanwhile. One that is not to be ended
   * and has made little of its time leaves the lead to the one that has waited longest. Where this
   * side was stopped for a good part of that time, the next look decides.
   */
  @Override
  public void onDeadline() {
    if (loop.wasAwayOf(LOOK_NANOS)) {
      return;
    }
    boolean mayCome = connection().isWindowOpenBut(sumOfParts() - leadingBytes);
    boolean scarce = loop.memory().isScarce();
    loop.forEach(
        CallStream.class,
        call -> {
          call.incoming.look(mayCome, scarce);
          if ((scarce || bytes > CALM_BYTES) && call.incoming.standsStill()) {
            call.giveUp(scarce ? SCARCE : STANDS_STILL);
          }
        });
    left.look(loop.info());
    IncomingMessages leader = leading;
    allMayComeOn = leader != null && leader.hasStopped() && bytes > CALM_BYTES;
    boolean slow = leadingBytes - leadingBytesAtLook < MIN_LEADING_BYTES;
    if (leader != null && slow && !allMayComeOn) {
      int told = leadingBytes;
      leading = null;
      leadingBytes = 0;
      connection().hold(told);
      letOn();
      leader.giveWindowBack(); // it waits, if it has to
    }
    leadingBytesAtLook = leadingBytes;
  }

  private long sumOfParts() {
    long[] sum = {0};
    loop.forEach(CallStream.class, call -> sum[0] += call.incoming.partBytes());
    return sum[0];
  }

  /** A call is over: nothing of it waits any more. */
  void forget(IncomingMessages call) {
    waiting.remove(call);
  }

  private Http2Connection connection() {
    return loop.connection();
  }

  @Override
  public long deadlineNanos() {
    return lookAtNanos;
  }

  @Override
  public int heapIndex() {
    return heapIndex;
  }

  @Override
  public void setHeapIndex(int index) {
    heapIndex = index;
  }
}
