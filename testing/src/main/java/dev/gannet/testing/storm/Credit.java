package dev.gannet.testing.storm;

import java.util.HashMap;
import java.util.Map;

/**
 * The credit for DATA in one direction of a connection, as both ends must see it, reckoned from the
 * frames alone (RFC 9113 §5.2, §6.9).
 *
 * <pre>
 *   granted − received  =  what the sender may send still
 *                          + DATA that is under way + credit that is under way
 * </pre>
 *
 * <p>The sender never sends more than the credit that has reached it. The receiver never grants
 * more than the largest window beyond what it has received, and when it rests it has granted at
 * least half of its first window beyond that.
 */
final class Credit {
  private static final long FIRST_WINDOW_BYTES = 65_535;

  /** What a window may grow to (RFC 9113 §6.9.1), or less where both ends agree on less. */
  private final long largestWindowBytes;

  private final Account connection = new Account(FIRST_WINDOW_BYTES, FIRST_WINDOW_BYTES);
  private final Map<Integer, Account> streams = new HashMap<>();
  private long firstConnectionWindowBytes = FIRST_WINDOW_BYTES;
  private long sendersInitialBytes = FIRST_WINDOW_BYTES;
  private long receiversInitialBytes = FIRST_WINDOW_BYTES;
  private boolean begun;

  /** The credit of one window. */
  private static final class Account {
    /** What the receiver lets the sender send, as the receiver counts. */
    private long granted;

    /** The same as far as the sender knows. */
    private long known;

    private long sent;
    private long received;

    Account(long granted, long known) {
      this.granted = granted;
      this.known = known;
    }
  }

  Credit(long largestWindowBytes) {
    this.largestWindowBytes = largestWindowBytes;
  }

  private Account stream(int streamId) {
    return streams.computeIfAbsent(
        streamId, id -> new Account(receiversInitialBytes, sendersInitialBytes));
  }

  void onDataSent(int streamId, int bytes) {
    Account stream = stream(streamId);
    connection.sent += bytes;
    stream.sent += bytes;
    Law.holds(
        connection.sent <= connection.known && stream.sent <= stream.known,
        () -> bytes + " bytes of DATA on stream " + streamId + " overdraw a window");
  }

  void onDataReceived(int streamId, int bytes) {
    connection.received += bytes;
    stream(streamId).received += bytes;
  }

  void onGrantSent(int streamId, int bytes) {
    begun |= streamId != 0;
    Account account = streamId == 0 ? connection : stream(streamId);
    account.granted += bytes;
    if (streamId == 0 && !begun && connection.received == 0) {
      firstConnectionWindowBytes = account.granted;
    }
    Law.holds(
        account.granted - account.received <= largestWindowBytes,
        () -> "the window of stream " + streamId + " is widened past what was received");
  }

  void onGrantReceived(int streamId, int bytes) {
    Account account = streamId == 0 ? connection : stream(streamId);
    account.known += bytes;
    Law.holds(
        account.known <= account.granted,
        () -> "more credit of stream " + streamId + " arrives than was given");
  }

  /** The receiver says another window for each stream. */
  void onInitialSent(int bytes) {
    long change = bytes - receiversInitialBytes;
    receiversInitialBytes = bytes;
    streams.values().forEach(stream -> stream.granted += change);
  }

  void onInitialReceived(int bytes) {
    long change = bytes - sendersInitialBytes;
    sendersInitialBytes = bytes;
    streams.values().forEach(stream -> stream.known += change);
  }

  /** Both ends rest, nothing is under way, and nobody owes a message to anybody. */
  void checkAtRest() {
    Law.holds(
        connection.sent == connection.received && connection.known == connection.granted,
        () -> "something got lost");
    long left = connection.granted - connection.received;
    Law.holds(
        left >= firstConnectionWindowBytes / 2,
        () -> "of the connection's window only " + left + " bytes came back");
  }
}
