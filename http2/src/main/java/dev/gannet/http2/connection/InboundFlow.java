package dev.gannet.http2.connection;

import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.stream.SharedWindow;
import java.time.Duration;

/**
 * How much the peer may send us: the windows for DATA that comes, how they grow with the way and
 * shrink with what readers leave lying (RFC 9113 §5.2).
 *
 * <ul>
 *   <li>A stream's window is given back as its driver says {@linkplain #consumed consumed}.
 *   <li>The connection's is given back as DATA arrives, as far as {@link SharedWindow} lets it:
 *       what is held and what may still come never exceed the bound and one window.
 *   <li>Long before that, where readers hold half of the bound, the connection is <b>crowded</b>:
 *       SETTINGS_INITIAL_WINDOW_SIZE is cut so far that all streams together fill no more than
 *       another quarter. What streams had may come first, which is at most the connection's window.
 *       So a peer that goes by its windows never reaches the bound, and streams that nobody reads
 *       never stop the others.
 *   <li>Windows and the bound grow where {@link BandwidthEstimator} finds that the way holds more.
 * </ul>
 */
final class InboundFlow {
  /**
   * A cut leaves each stream so much of the bound, divided by the number of streams. That is cut
   * anew for four times as many, and those before have filled theirs: with five cuts, all of them
   * together fill a quarter of the bound.
   */
  private static final int CUT_SHARE = 16;

  /** A window below this is spent on frame headers. */
  private static final int MIN_SHARE_BYTES = 1 << 10;

  /**
   * How long a cut stays at least, whatever has become of its reason. Peers count SETTINGS: ours
   * are six a minute at most in the long run, a cut and its end every 20 seconds.
   */
  private static final long MIN_CUT_NANOS = Duration.ofSeconds(20).toNanos();

  /** How much less may be held where the whole process is short of memory. */
  private static final int SQUEEZED_SHARE = 4;

  /** That no streams have been counted since the windows were cut. */
  private static final long NEVER_SHARED = -1;

  private final ConnectionContext context;
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
      ConnectionContext context,
      Streams streams,
      Outbound outbound,
      ConnectionTimers timers,
      SharedWindow shared,
      InitialWindow initial) {
    this.context = context;
    this.streams = streams;
    this.outbound = outbound;
    this.timers = timers;
    this.shared = shared;
    this.initial = initial;
    this.limits = context.limits().windows();
    this.bandwidth =
        new BandwidthEstimator(limits.connectionBytes(), limits.largestBytes(), context.nowNanos());
  }

  /** The first SETTINGS are said. */
  void onStart() {
    initial.say(limits.streamBytes());
  }

  /** DATA begins to arrive, padding and all; false if it is more than the peer may send. */
  boolean take(int frameBytes) {
    frameUnderWay = true;
    return shared.take(frameBytes);
  }

  /** A frame of DATA has arrived whole, and its content is where it belongs. */
  void onData(int frameBytes) {
    frameUnderWay = false;
    giveBack();
    if (!squeezed && bandwidth.onData(frameBytes, shared.held(), context.nowNanos())) {
      timers.ping(bandwidth.opaque());
    }
    settle();
  }

  /** Takes the answer to a PING; false if it is none of those that were sent from here. */
  boolean onPingAck(long opaque) {
    if (!bandwidth.isAnswer(opaque)) {
      return false;
    }
    if (bandwidth.onAnswer(shared.held(), context.nowNanos())) {
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

  /** Gives a stream's bytes back, once enough have come together. */
  void consumed(Http2Stream stream, int bytes) {
    update(stream, stream.receiveWindow.consume(bytes));
  }

  /** Readers hold so much more than before, or less. */
  void hold(int change) {
    shared.hold(change);
    if (change < 0) {
      giveBack();
    }
    unsettled |= shared.held() > shared.bound() / 2;
  }

  /** Whether the process is short of memory: less is held then, and nothing grows. */
  void squeeze(boolean squeeze) {
    squeezed = squeeze;
    shared.setBound(bound());
    giveBack();
    unsettled = true;
  }

  /** Whether readers may hold notably more without harm to others. */
  boolean hasRoom() {
    return shared.held() < shared.bound() / 2;
  }

  /** Grows with the window, or a few streams would crowd a long way. */
  private long bound() {
    long whole = (long) limits.heldBytes() * shared.size() / limits.connectionBytes();
    return squeezed ? whole / SQUEEZED_SHARE : whole;
  }

  /** Whether the connection's window would be open if so much less were held. */
  boolean isWindowOpenBut(long heldBytes) {
    return shared.isOpenBut(heldBytes);
  }

  boolean isCrowded() {
    return crowded;
  }

  /** What a stream's window is now, or soon. */
  int streamWindowBytes() {
    return initial.saidBytes();
  }

  /**
   * Brings what the peer was told in line with what it should be. Only while something of the
   * peer's is being received: the time of that is known, and until then nothing can come of it.
   */
  private void settle() {
    if (!crowded && !unsettled) {
      return;
    }
    unsettled = false;
    decideCrowded();
    int wanted = crowded ? Math.min(initial.saidBytes(), share()) : uncrowdedBytes();
    if (wanted != initial.saidBytes() && initial.takesOneMore() && !outbound.hasFailed()) {
      cutNanos = context.nowNanos();
      context.writer().settings(PeerSettings.INITIAL_WINDOW_SIZE, wanted);
      timers.onSettingsSent();
      if (initial.say(wanted)) {
        resizeStreams();
      }
    }
  }

  /** A crowded connection's windows are only cut, and are raised when it is crowded no more. */
  private void decideCrowded() {
    long held = shared.held();
    if (!crowded && held > shared.bound() / 2) {
      crowded = true;
      cutNanos = context.nowNanos();
      mostStreams = 1;
      begunAtShare = NEVER_SHARED;
    } else if (crowded
        && held < shared.bound() / 4
        && context.nowNanos() - cutNanos >= MIN_CUT_NANOS) {
      crowded = false;
    }
  }

  private int uncrowdedBytes() {
    boolean grown = bandwidth.windowBytes() > limits.connectionBytes();
    return grown ? Math.max(limits.streamBytes(), bandwidth.windowBytes()) : limits.streamBytes();
  }

  /** A stream's part where all are cut. Those that hold nothing and will not any more take none. */
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

  /** Not inside a frame, whose rest may be held as well. */
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
      context.writer().windowUpdate(streamId, increment);
    }
  }
}
