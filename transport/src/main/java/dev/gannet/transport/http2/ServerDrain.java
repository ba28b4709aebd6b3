package dev.gannet.transport.http2;

import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Timeouts;
import java.time.Duration;
import java.util.function.Consumer;

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

  private final ConnectionLoop loop;
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
  ServerDrain(ConnectionLoop loop, Runnable onDrained, Consumer<String> cutShort) {
    this.loop = loop;
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
      new LoopTimer(loop, () -> cutShort.accept(why)).set(loop.nanoTime() + graceNanos);
    }
    if (state != State.SERVING) {
      return;
    }
    state = State.DRAINING;
    this.why = why;
    loop.connection().announceGoAway(why);
    loop.connection().ping(DRAIN_PING);
    new LoopTimer(loop, this::onNothingUnderWay).set(loop.nanoTime() + PING_NANOS);
  }

  void onPingAck(long opaque) {
    if (opaque == DRAIN_PING) {
      onNothingUnderWay();
    }
  }

  private void onNothingUnderWay() {
    if (state == State.DRAINING) {
      state = State.DRAINED;
      loop.connection().goAway(ErrorCode.NO_ERROR, why);
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
    if (state == State.DRAINED && loop.connection().streamCount() == 0) {
      loop.close(ErrorCode.NO_ERROR, why);
    }
  }
}
