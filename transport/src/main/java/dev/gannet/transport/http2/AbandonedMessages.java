package dev.gannet.transport.http2;

import dev.gannet.transport.ConnectionInfo;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Calls that ended with messages that wait for their reader. Such messages count like all waiting
 * messages, because a slow reader must slow down its peer. But a reader that forgot to close its
 * call would block the connection for ever: if two checks in a row, 20 seconds apart, find that
 * nobody has taken any of them, they do not count any more. A reader that was only late still gets
 * them.
 *
 * <p>A call is tracked only if its connection holds more than {@value #MIN_BYTES} bytes when it
 * ends, so all untracked calls together leave at most that much. Confined to the connection's loop.
 */
final class AbandonedMessages {
  private static final Logger LOG = System.getLogger(AbandonedMessages.class.getName());

  private static final int MIN_BYTES = 128 << 10;

  private static final int CHECKS_BEFORE_ABANDONED = 2;

  /** What the last check found of a call, and how many checks in a row have found just that. */
  private record Left(int bytes, int checks) {
    Left check(int bytesNow) {
      return new Left(bytesNow, bytesNow == bytes ? checks + 1 : 0);
    }

    boolean isOver() {
      return bytes == 0 || checks >= CHECKS_BEFORE_ABANDONED;
    }
  }

  private final ReceiveAccounting held;
  private final Map<HeldMessages, Left> calls = new HashMap<>();

  AbandonedMessages(ReceiveAccounting held) {
    this.held = held;
  }

  /** A call has ended before its reader took everything. */
  void add(HeldMessages call) {
    if (held.bytes() > MIN_BYTES) {
      calls.put(call, new Left(call.heldBytes(), 0));
    }
  }

  /** Nothing is left of an ended call. */
  void remove(HeldMessages call) {
    if (!calls.isEmpty()) { // it mostly is
      calls.remove(call);
    }
  }

  /**
   * Stops counting the messages of ended calls that nobody has read since the last check; logs how
   * many bytes.
   */
  void check(ConnectionInfo info) {
    long uncountedBytes = 0;
    Iterator<Map.Entry<HeldMessages, Left>> each = calls.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<HeldMessages, Left> entry = each.next();
      HeldMessages call = entry.getKey();
      call.countAnew();
      Left left = entry.getValue().check(call.heldBytes());
      entry.setValue(left);
      if (left.isOver()) {
        each.remove();
        call.countNoMore();
        uncountedBytes += left.bytes();
      }
    }
    if (uncountedBytes > 0) {
      LOG.log(
          Level.WARNING,
          "ended calls to "
              + info.remoteAddress()
              + " have left "
              + uncountedBytes
              + " bytes unread, which prevented their connection from receiving; close or cancel"
              + " streams that are not read to their end");
    }
  }
}
