package dev.gannet.suites.storm;

import java.util.HashMap;
import java.util.Map;

/**
 * The flow-control credit for DATA in one direction of a connection, as both ends must see it,
 * computed only from the frames (RFC 9113 §5.2, §6.9).
 *
 * <pre>
 *   first window + added − received  =  what the sender may send still
 *                                       + DATA that is under way + credit that is under way
 * </pre>
 *
 * <p>The sender never sends more than the credit that has reached it. The receiver never grants
 * more than the largest window beyond what it has received, and when everything has been read it
 * has granted at least half of its first window beyond that.
 */
final class Credit {
  private static final long INITIAL_WINDOW_BYTES = 65_535;

  /** The largest size of a window (RFC 9113 §6.9.1), or less if both ends agree on less. */
  private final long largestWindowBytes;

  private final Account connection = new Account();
  private final Map<Integer, Account> streams = new HashMap<>();
  private long firstConnectionWindowBytes = INITIAL_WINDOW_BYTES;
  private long sendersInitialBytes = INITIAL_WINDOW_BYTES;
  private long receiversInitialBytes = INITIAL_WINDOW_BYTES;
  private boolean begun;

  /** The credit of one window in addition to its initial size. */
  private static final class Account {
    /** What the receiver has added by WINDOW_UPDATE. */
    private long added;

    /** The same as far as the sender knows. */
    private long known;

    private long sent;
    private long received;
  }

  Credit(long largestWindowBytes) {
    this.largestWindowBytes = largestWindowBytes;
  }

  private Account account(int streamId) {
    return streamId == 0 ? connection : streams.computeIfAbsent(streamId, id -> new Account());
  }

  void onDataSent(int streamId, int bytes) {
    Account stream = account(streamId);
    connection.sent += bytes;
    stream.sent += bytes;
    boolean covered =
        connection.sent <= INITIAL_WINDOW_BYTES + connection.known
            && stream.sent <= sendersInitialBytes + stream.known;
    Invariant.holds(
        covered || bytes == 0,
        () -> bytes + " bytes of DATA on stream " + streamId + " overdraw a window");
  }

  void onDataReceived(int streamId, int bytes) {
    connection.received += bytes;
    account(streamId).received += bytes;
  }

  void onGrantSent(int streamId, int bytes) {
    begun |= streamId != 0;
    Account account = account(streamId);
    account.added += bytes;
    long granted = account.added + (streamId == 0 ? INITIAL_WINDOW_BYTES : receiversInitialBytes);
    if (streamId == 0 && !begun && connection.received == 0) {
      firstConnectionWindowBytes = granted;
    }
    Invariant.holds(
        granted - account.received <= largestWindowBytes,
        () -> "the window of stream " + streamId + " is widened past what was received");
  }

  void onGrantReceived(int streamId, int bytes) {
    Account account = account(streamId);
    account.known += bytes;
    Invariant.holds(
        account.known <= account.added,
        () -> "more credit of stream " + streamId + " arrives than was given");
  }

  /** The receiver announces another initial window for streams. */
  void onInitialSent(int bytes) {
    receiversInitialBytes = bytes;
  }

  /** From now on the sender uses it, also for open streams (RFC 9113 §6.9.2). */
  void onInitialReceived(int bytes) {
    sendersInitialBytes = bytes;
  }

  /** Both ends are idle, nothing is on its way, and all messages are complete. */
  void checkAtRest() {
    Invariant.holds(
        connection.sent == connection.received && connection.known == connection.added,
        () -> "something got lost");
    long left = INITIAL_WINDOW_BYTES + connection.added - connection.received;
    Invariant.holds(
        left >= firstConnectionWindowBytes / 2,
        () -> "of the connection's window only " + left + " bytes came back");
  }
}
