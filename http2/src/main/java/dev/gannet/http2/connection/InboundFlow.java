package dev.gannet.http2.connection;

import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.stream.SharedWindow;
import java.time.Duration;

/**
 * How much the peer may send: the receive windows, how they grow with the path's capacity and
 * shrink with what readers leave unread (RFC 9113 §5.2).
 *
 * <ul>
 *   <li>A stream's window is given back when its driver calls {@linkplain #consumed consumed}.
 *   <li>The connection's window is given back as DATA arrives, as far as {@link SharedWindow}
 *       allows: what is held and what may still arrive never exceed the bound plus one window.
 *   <li>Long before that, when readers hold half of the bound, the connection is <b>crowded</b>:
 *       SETTINGS_INITIAL_WINDOW_SIZE is reduced so that all streams together fill at most another
 *       quarter. What the peer could send before the reduction may arrive first, which is at most
 *       the connection's window. So a peer that respects its windows never reaches the bound, and
 *       streams that nobody reads never stop the others.
 *   <li>Windows and the bound grow when {@link BandwidthEstimator} finds that the path has more
 *       capacity.
 * </ul>
 */
final class InboundFlow {
  /**
   * A reduction leaves all streams together this part of the bound, divided by the number of
   * streams. It is reduced again when there are four times as many streams, after the earlier ones
   * have filled their windows: with five reductions, all of them together fill a quarter of the
   * bound.
   */
  private static final int CUT_SHARE = 16;

  /** A smaller window would be spent on frame headers. */
  private static final int MIN_SHARE_BYTES = 1 << 10;

  /**
   * The shortest time that a reduction stays, even if its reason has gone. Peers count SETTINGS:
   * this side sends at most six a minute in the long run, a reduction and its end every 20 seconds.
   */
  private static final long MIN_CUT_NANOS = Duration.ofSeconds(20).toNanos();

  /** The divisor of what may be held while the whole process is short of memory. */
  private static final int SQUEEZED_SHARE = 4;

  /** Means that no streams have been counted since the windows were reduced. */
  private static final long NEVER_SHARED = -1;

  private final ConnectionEnvironment environment;
  private final Streams streams;
  private final Outbound outbound;
  private final ConnectionTimers timers;
  private final WindowLimits limits;
  private final InitialWindow initial;
  private final SharedWindow shared;
  private final BandwidthEstimator bandwidth;
  private boolean frameUnderWay;
  private boolean unsettled;
  private boolean squeezed;
  private boolean crowded;
  private long cutNanos;
  private int mostStreams;
  private int sharingStreams;
  private long begunAtShare;

  InboundFlow(
      ConnectionEnvironment environment,
      Streams streams,
      Outbound outbound,
      ConnectionTimers timers,
      SharedWindow shared,
      InitialWindow initial) {
    this.environment = environment;
    this.streams = streams;
    this.outbound = outbound;
    this.timers = timers;
    this.shared = shared;
    this.initial = initial;
    this.limits = environment.limits().windows();
    this.bandwidth =
        new BandwidthEstimator(
            limits.connectionBytes(), limits.largestBytes(), environment.nowNanos());
  }

  /** The first SETTINGS were sent. */
  void onStart() {
    initial.say(limits.streamBytes());
  }

  /** DATA begins to arrive, including padding; false if it is more than the peer may send. */
  boolean take(int frameBytes) {
    frameUnderWay = true;
    return shared.take(frameBytes);
  }

  /** A frame of DATA has arrived completely, and its content was passed on. */
  void onData(int frameBytes) {
    frameUnderWay = false;
    giveBack();
    if (!squeezed && bandwidth.onData(frameBytes, shared.held(), environment.nowNanos())) {
      timers.ping(bandwidth.opaque());
    }
    settle();
  }

  /** Takes the answer to a PING; false if this class did not send that PING. */
  boolean onPingAck(long opaque) {
    if (!bandwidth.isAnswer(opaque)) {
      return false;
    }
    if (bandwidth.onAnswer(shared.held(), environment.nowNanos())) {
      int due = shared.growTo(Math.max(limits.connectionBytes(), bandwidth.windowBytes()));
      shared.setBound(bound());
      update(0, due);
      unsettled = true;
      settle();
    }
    return true;
  }

  void onSettingsAck() {
    if (initial.onAck()) {
      resizeStreams();
    }
    unsettled = true;
    settle();
  }

  /** Gives a stream's bytes back, once enough of them have accumulated. */
  void consumed(Http2Stream stream, int bytes) {
    update(stream, stream.receiveWindow.consume(bytes));
  }

  /** Readers hold this many bytes more than before (or less, if negative). */
  void hold(int change) {
    shared.hold(change);
    if (change < 0) {
      giveBack();
    }
    unsettled |= shared.held() > shared.bound() / 2;
  }

  /** Sets whether the process is short of memory: then less is held, and nothing grows. */
  void squeeze(boolean squeeze) {
    squeezed = squeeze;
    shared.setBound(bound());
    giveBack();
    unsettled = true;
  }

  /** Whether readers may hold notably more without harm to others. */
  boolean canHoldMore() {
    return shared.held() < shared.bound() / 2;
  }

  /**
   * Grows with the window; otherwise a few streams would crowd a connection with a large window.
   */
  private long bound() {
    long whole = (long) limits.heldBytes() * shared.size() / limits.connectionBytes();
    return squeezed ? whole / SQUEEZED_SHARE : whole;
  }

  /** Whether the connection's window would be open if this many bytes less were held. */
  boolean isWindowOpenBut(long heldBytes) {
    return shared.isOpenBut(heldBytes);
  }

  /** Whether the connection's window would have its full size if this many bytes less were held. */
  boolean isWindowWholeBut(long heldBytes) {
    return shared.isWholeBut(heldBytes);
  }

  boolean isCrowded() {
    return crowded;
  }

  /** The window of a stream, now or soon. */
  int streamWindowBytes() {
    return initial.saidBytes();
  }

  /**
   * Makes the windows that the peer knows equal to what they should be. Only while something from
   * the peer is being received: only then is the time known, and before then it would have no
   * effect.
   */
  private void settle() {
    if (!crowded && !unsettled) {
      return;
    }
    unsettled = false;
    decideCrowded();
    int wanted = crowded ? Math.min(initial.saidBytes(), share()) : uncrowdedBytes();
    if (wanted != initial.saidBytes() && initial.takesOneMore() && !outbound.hasFailed()) {
      cutNanos = environment.nowNanos();
      environment.writer().settings(PeerSettings.INITIAL_WINDOW_SIZE, wanted);
      timers.onSettingsSent();
      if (initial.say(wanted)) {
        resizeStreams();
      }
    }
  }

  /**
   * Windows of a crowded connection are only reduced, and are raised when it is not crowded any
   * more.
   */
  private void decideCrowded() {
    long held = shared.held();
    if (!crowded && held > shared.bound() / 2) {
      crowded = true;
      cutNanos = environment.nowNanos();
      mostStreams = 1;
      begunAtShare = NEVER_SHARED;
    } else if (crowded
        && held < shared.bound() / 4
        && environment.nowNanos() - cutNanos >= MIN_CUT_NANOS) {
      crowded = false;
    }
  }

  private int uncrowdedBytes() {
    boolean grown = bandwidth.windowBytes() > limits.connectionBytes();
    return grown ? Math.max(limits.streamBytes(), bandwidth.windowBytes()) : limits.streamBytes();
  }

  /**
   * The window of each stream after a reduction. Streams that hold nothing and never will again are
   * not counted.
   */
  private int share() {
    if (begunAtShare != streams.begun() && mostStreams < streams.count()) {
      sharingStreams = 0;
      streams.scan(this::countSharing);
      while (mostStreams < sharingStreams) {
        mostStreams *= 4;
      }
    }
    begunAtShare = streams.begun();
    return (int) Math.max(MIN_SHARE_BYTES, shared.bound() / CUT_SHARE / mostStreams);
  }

  private void countSharing(Http2Stream stream) {
    sharingStreams += stream.state.isReadable() || stream.receiveWindow.unread() > 0 ? 1 : 0;
  }

  private void resizeStreams() {
    int bytes = initial.bytesInForce();
    streams.forEach(stream -> update(stream, stream.receiveWindow.resize(bytes)));
  }

  /** Not inside a frame, because its rest may be held as well. */
  private void giveBack() {
    if (!frameUnderWay) {
      update(0, shared.giveBack());
    }
  }

  private void update(Http2Stream stream, int increment) {
    if (stream.state.isReadable()) {
      update(stream.id(), increment);
    }
  }

  private void update(int streamId, int increment) {
    if (increment > 0 && !outbound.hasFailed()) {
      environment.writer().windowUpdate(streamId, increment);
    }
  }
}
