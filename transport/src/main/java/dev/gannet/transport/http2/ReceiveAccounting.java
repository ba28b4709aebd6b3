package dev.gannet.transport.http2;

import dev.gannet.api.Status;
import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.transport.pipe.Pipe;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the calls of one connection hold of the data that arrived: complete messages that nobody has
 * taken, and parts of messages. It is reported to HTTP/2, which gives windows back accordingly.
 *
 * <p>Once the bound is reached, readers that wait only for the rest of a message could wait for
 * ever. So one message, the <b>leading</b> one, does not count: it may arrive completely, then the
 * next one leads; a message that receives less than {@value #MIN_LEADING_BYTES} bytes in 20 seconds
 * loses the lead earlier, unless what it holds then would leave no room for the next one. The
 * connection holds at most its bound, its window and one message.
 *
 * <p>Only the peer can complete a partial message. While everything held is more than {@value
 * #CALM_BYTES} bytes, a call is ended if its message makes no progress although its peer may send.
 * That is checked every 20 seconds; the call is ended if two checks in a row find it. The check
 * also runs while other messages wait for the leading one, however little is held, because small
 * windows and short memory lower the bound.
 *
 * <p>While the memory of the process is short, the amount that one connection holds says little,
 * because there may be thousands of connections. Then the check runs every 5 seconds, and ends
 * calls whose message, or whose single request, was begun and makes no progress between two checks,
 * however small it is.
 *
 * <p>Counts are exact for all calls that the loop has touched. What readers took meanwhile is
 * counted when their call is touched again, or when much seems to be held and all calls are counted
 * again. Confined to the connection's loop.
 */
final class ReceiveAccounting implements Timed {
  /** The calls of the connection. */
  interface Holders {
    /** Passes what each open call holds to the action, which may end some of the calls. */
    void forEach(Consumer<? super HeldMessages> action);
  }

  /** While less than this is held, nothing is checked. */
  static final int CALM_BYTES = 1 << 20;

  /** Parts smaller than this do not lead unless they have to wait. */
  private static final int MIN_LEADING_BYTES = 64 << 10;

  /** How many bytes more must be held before all calls are counted again. */
  private static final int COUNTING_STEP_BYTES = 256 << 10;

  private static final long CHECK_NANOS = Duration.ofSeconds(20).toNanos();
  private static final Status STANDS_STILL =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "an incomplete message made no progress while its connection held more than 1 MiB of"
              + " unread data");

  /** How often calls are checked while memory is short. */
  private static final long SCARCE_CHECK_NANOS = Duration.ofSeconds(5).toNanos();

  private static final Status BLOCKS =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "an incomplete message made no progress while others of its connection waited for it");

  private static final Status SCARCE =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "memory is scarce (half of memoryBudget is used), and an incomplete message or request"
              + " made no progress for 5 s");

  private final Pipe pipe;
  private final Http2Connection connection;
  private final Holders holders;
  private final DeadlineHeap deadlines;
  private final CatchUp catchUp;
  private final MemoryPressure pressure;
  private final AbandonedMessages left = new AbandonedMessages(this);
  private final ArrayDeque<HeldMessages> waiting = new ArrayDeque<>(0); // mostly empty
  private long bytes;
  private long spareBytes;
  private @Nullable HeldMessages leading;
  private int leadingBytes;
  private int leadingBytesAtCheck;
  private long bytesAtCount = CALM_BYTES;
  private int windowBytes;
  private boolean allMayResume;
  private long checkAtNanos;
  private int heapIndex = DeadlineHeap.OUTSIDE;

  ReceiveAccounting(
      Pipe pipe,
      Http2Connection connection,
      Holders holders,
      DeadlineHeap deadlines,
      CatchUp catchUp,
      MemoryPressure pressure) {
    this.pipe = pipe;
    this.connection = connection;
    this.holders = holders;
    this.deadlines = deadlines;
    this.catchUp = catchUp;
    this.pressure = pressure;
  }

  /** The bytes of everything held, as they arrived. */
  long bytes() {
    return bytes;
  }

  /** Ended calls that were not read to their end. */
  AbandonedMessages left() {
    return left;
  }

  /** Additional memory: for what is missing of messages, and for data that will not be read. */
  long spareBytes() {
    return spareBytes;
  }

  /** The memory of all that is held, in bytes. */
  long memoryBytes() {
    return bytes + spareBytes;
  }

  /**
   * A call holds this many bytes more than before (or less, if negative).
   *
   * @param spare change of the additional memory: for what is missing of a message, and for the
   *     message objects
   */
  void change(HeldMessages call, int change, int spare) {
    bytes += change;
    spareBytes += spare;
    int leadingBefore = leadingBytes;
    if (call.equals(leading)) {
      boolean goesOn = call.waitsForItsRestAlone() && call.partBytes() >= leadingBytes;
      leading = goesOn ? call : null;
      leadingBytes = goesOn ? call.partBytes() : 0;
    } else if (leading == null && call.partBytes() >= MIN_LEADING_BYTES) {
      lead(call);
    }
    int reportedBytes = change - (leadingBytes - leadingBefore);
    if (reportedBytes != 0) {
      connection.hold(reportedBytes);
    }
  }

  private void lead(HeldMessages call) {
    if (call.waitsForItsRestAlone()) {
      leading = call;
      leadingBytes = call.partBytes();
    }
  }

  /** Whether the rest of a message that is longer than its stream's window may arrive. */
  boolean mayResume(HeldMessages call) {
    return call.equals(leading) || allMayResume || connection.canHoldMore();
  }

  /** Has the call give its window back once {@link #mayResume} returns true. */
  void await(HeldMessages call) {
    waiting.add(call);
  }

  /**
   * At the end of a batch: continues calls that may continue, and starts or stops the periodic
   * check.
   *
   * @param spreadNanos how much later this connection's checks are than others' while memory is
   *     short
   */
  void settle(long spreadNanos) {
    if (bytes > bytesAtCount + COUNTING_STEP_BYTES) {
      holders.forEach(HeldMessages::countAnew);
      bytesAtCount = bytes;
    } else if (bytes < bytesAtCount) {
      bytesAtCount = Math.max(CALM_BYTES, bytes);
    }
    if (windowBytes != connection.streamWindowBytes()) {
      windowBytes = connection.streamWindowBytes();
      holders.forEach(HeldMessages::giveWindowBack);
    }
    if (!waiting.isEmpty()) {
      resumeWaiting();
    }
    if (pressure.isScarceFor(bytes)) {
      watchWithin(SCARCE_CHECK_NANOS + spreadNanos);
    } else if (bytes > CALM_BYTES || !waiting.isEmpty() || allMayResume) {
      watchWithin(CHECK_NANOS);
    }
  }

  private void watchWithin(long nanos) {
    boolean watched = heapIndex != DeadlineHeap.OUTSIDE;
    if (watched && nanos >= CHECK_NANOS) {
      return;
    }
    long nowNanos = pipe.nanoTime();
    if (!watched || checkAtNanos - nowNanos > nanos) {
      deadlines.remove(this);
      checkAtNanos = nowNanos + nanos;
      deadlines.add(this);
    }
  }

  private void resumeWaiting() {
    boolean again;
    do {
      again = false;
      for (int i = waiting.size(); i > 0 && (leading == null || mayResume(waiting.peek())); i--) {
        HeldMessages next = waiting.remove();
        if (leading == null) {
          lead(next);
          connection.hold(-leadingBytes);
        }
        next.resume();
        again |= leading == null && next.waitsForItsRestAlone(); // its reader was busy just now
      }
    } while (again);
  }

  /**
   * Ends calls that make no progress, unless the connection is blocked by messages that wait for
   * their readers; if the leading message blocks it, others may continue meanwhile. A leading
   * message that is not ended but has received little in its time passes the lead to the message
   * that has waited longest, if there is room for both. If this side was paused for a good part of
   * that time, the next check decides.
   */
  @Override
  public void onDeadline() {
    if (catchUp.wasAwayOf(CHECK_NANOS, pipe.nanoTime())) {
      return;
    }
    boolean windowOpen = connection.isWindowOpenBut(sumOfParts() - leadingBytes);
    boolean scarce = pressure.isScarce();
    HeldMessages.Memory memory = scarce ? HeldMessages.Memory.SCARCE : HeldMessages.Memory.ENOUGH;
    HeldMessages.Progress[] ofLeading = {HeldMessages.Progress.GOES_ON};
    holders.forEach(call -> {
      HeldMessages.Progress progress = call.checkProgress(windowOpen, memory);
      if (call.equals(leading)) {
        ofLeading[0] = progress;
      }
      if ((scarce || bytes > CALM_BYTES) && progress == HeldMessages.Progress.STANDS_STILL) {
        call.giveUp(scarce ? SCARCE : STANDS_STILL);
      }
    });
    left.check(pipe.info());
    HeldMessages leader = leading;
    boolean stopped = ofLeading[0] != HeldMessages.Progress.GOES_ON;
    allMayResume = leader != null && stopped && bytes > CALM_BYTES;
    boolean slow = leadingBytes - leadingBytesAtCheck < MIN_LEADING_BYTES;
    if (leader != null && slow && !allMayResume) {
      if (mayPassLead()) {
        passLead(leader);
      } else if (ofLeading[0] == HeldMessages.Progress.STANDS_STILL) {
        leader.giveUp(BLOCKS);
      }
    }
    leadingBytesAtCheck = leadingBytes;
  }

  /** Whether the next message has room for its rest when the leading one counts. */
  private boolean mayPassLead() {
    HeldMessages next = waiting.peek();
    return next == null || connection.isWindowWholeBut(next.partBytes() - leadingBytes);
  }

  private void passLead(HeldMessages leader) {
    int reportedBytes = leadingBytes;
    leading = null;
    leadingBytes = 0;
    connection.hold(reportedBytes);
    resumeWaiting();
    leader.giveWindowBack(); // it waits, if it has to
  }

  private long sumOfParts() {
    long[] sum = {0};
    holders.forEach(call -> sum[0] += call.partBytes());
    return sum[0];
  }

  /** A call has ended: nothing of it waits any more. */
  void forget(HeldMessages call) {
    waiting.remove(call);
  }

  @Override
  public long deadlineNanos() {
    return checkAtNanos;
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
