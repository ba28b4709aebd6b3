package dev.gannet.transport.http2;

import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.connection.Http2Connection;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The graceful shutdown of a server's connection (RFC 9113 §6.8).
 *
 * <pre>
 *   SERVING ──begin: GOAWAY(2^31-1), PING──► DRAINING ──answered, or 10 s: GOAWAY(last)──► DRAINED
 *                                                │                                          │
 *                                                └──grace over──► closed ◄──last call ended─┘
 * </pre>
 *
 * <p>Streams that were on their way at the first GOAWAY are served; the PING's answer shows that
 * all of them have arrived.
 */
final class ServerDrain {
  private static final long DRAIN_PING =
      0x6761_6e6e_6574L; // distinguishes this PING from others in a trace
  private static final long PING_NANOS = Duration.ofSeconds(10).toNanos();

  private enum State {
    SERVING,
    DRAINING,
    DRAINED
  }

  private final Http2Connection connection;
  private final DeadlineHeap deadlines;
  private final LongSupplier clock;
  private final ConnectionClosing closing;
  private final Runnable onDrained;
  private final Consumer<String> cutShort;
  private State state = State.SERVING;
  private String why = "";

  /**
   * The shutdown of a connection, not begun yet.
   *
   * @param onDrained called when no more streams will start
   * @param cutShort ends all calls and closes the connection, with the text of the GOAWAY
   */
  ServerDrain(
      Http2Connection connection,
      DeadlineHeap deadlines,
      LongSupplier clock,
      ConnectionClosing closing,
      Runnable onDrained,
      Consumer<String> cutShort) {
    this.connection = connection;
    this.deadlines = deadlines;
    this.clock = clock;
    this.closing = closing;
    this.onDrained = onDrained;
    this.cutShort = cutShort;
  }

  /**
   * Begins the shutdown, if it has not begun.
   *
   * @param why the text of the GOAWAY
   * @param graceNanos how long calls may last from now on, also if the shutdown has already begun;
   *     {@link Timeouts#NEVER} for no limit
   */
  void begin(String why, long graceNanos) {
    if (graceNanos < Timeouts.FAR_NANOS) {
      new LoopTimer(deadlines, () -> cutShort.accept(why)).set(clock.getAsLong() + graceNanos);
    }
    if (state != State.SERVING) {
      return;
    }
    state = State.DRAINING;
    this.why = why;
    connection.announceGoAway(why);
    connection.ping(DRAIN_PING);
    new LoopTimer(deadlines, this::onNothingUnderWay).set(clock.getAsLong() + PING_NANOS);
  }

  void onPingAck(long opaque) {
    if (opaque == DRAIN_PING) {
      onNothingUnderWay();
    }
  }

  private void onNothingUnderWay() {
    if (state == State.DRAINING) {
      state = State.DRAINED;
      connection.goAway(ErrorCode.NO_ERROR, why);
      onDrained.run();
      closeIfDone();
    }
  }

  /** Whether no more streams will start. */
  boolean isDrained() {
    return state == State.DRAINED;
  }

  /** Must be called whenever a stream has ended. */
  void closeIfDone() {
    if (state == State.DRAINED && connection.streamCount() == 0) {
      closing.close(ErrorCode.NO_ERROR, why);
    }
  }
}
