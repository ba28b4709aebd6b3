package dev.gannet.http2.connection;

import dev.gannet.http2.ByteSink;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.Violation;
import dev.gannet.http2.stream.SharedWindow;
import dev.gannet.http2.time.DueTimes;
import dev.gannet.http2.time.DueTimes.Matter;
import dev.gannet.http2.time.KeepaliveWatch;
import dev.gannet.http2.time.StallWatch;
import java.time.Duration;

/** The timeouts of a connection: what its peer must do, by when, and what happens if it is late. */
final class ConnectionTimers {
  /**
   * While an acknowledgement is due, at least this much DATA must arrive; otherwise the peer counts
   * as silent.
   */
  private static final int MIN_DATA_BYTES = 16 << 10;

  private static final long KEEPALIVE_PING = 0x6b65_6570_616c_6976L; // "keepaliv" in a trace

  private final ConnectionEnvironment environment;
  private final Streams streams;
  private final Outbound outbound;
  private final Intake intake;
  private final PingTolerance pings;
  private final SharedWindow arriving;
  private final Timeouts timeouts;
  private final DueTimes due = new DueTimes();
  private final KeepaliveWatch keepalive;
  private final StallWatch stall;
  private int unacknowledgedSettings;
  private int unansweredPings;
  private long dataAtSettings;
  private long dataAtLook;

  /**
   * Nothing is due yet.
   *
   * @param arriving the receive window of all DATA, which knows how much has arrived
   */
  ConnectionTimers(
      ConnectionEnvironment environment,
      Streams streams,
      Outbound outbound,
      Intake intake,
      PingTolerance pings,
      SharedWindow arriving) {
    this.environment = environment;
    this.streams = streams;
    this.outbound = outbound;
    this.intake = intake;
    this.pings = pings;
    this.arriving = arriving;
    this.timeouts = environment.limits().timeouts();
    this.keepalive = new KeepaliveWatch(timeouts.keepalive(), environment.nowNanos());
    this.stall = new StallWatch(timeouts.stallNanos());
  }

  void onStart() {
    due.set(Matter.HANDSHAKE, environment.nowNanos(), timeouts.handshakeNanos());
    onSettingsSent();
  }

  void onRead() {
    keepalive.onRead(environment.nowNanos());
  }

  /** This side neither read nor wrote for this long: that time does not count against the peer. */
  void onPause(long pausedNanos) {
    due.postponeAll(pausedNanos);
    keepalive.onPause(pausedNanos);
    stall.onPause(pausedNanos);
  }

  void onPeerSettings() {
    due.clear(Matter.HANDSHAKE);
    waitForAck();
  }

  /** SETTINGS of this side were written; the timeout is that of the oldest unacknowledged ones. */
  void onSettingsSent() {
    unacknowledgedSettings++;
    waitForAck();
  }

  private void waitForAck() {
    boolean owed = unacknowledgedSettings > 0 && !due.isSet(Matter.HANDSHAKE);
    if (owed && !due.isSet(Matter.SETTINGS_ACK)) {
      due.set(Matter.SETTINGS_ACK, environment.nowNanos(), timeouts.settingsAckNanos());
      dataAtSettings = arriving.arrivedBytes();
      dataAtLook = dataAtSettings;
    }
  }

  /** The oldest of this side's SETTINGS is acknowledged; false if there is none. */
  boolean onSettingsAck() {
    if (unacknowledgedSettings == 0) {
      return false;
    }
    unacknowledgedSettings--;
    due.clear(Matter.SETTINGS_ACK);
    waitForAck();
    return true;
  }

  /** Sends a PING because the peer is silent. */
  void ping(long opaque) {
    if (!outbound.hasFailed()) {
      unansweredPings++;
      environment.writer().ping(opaque);
    }
  }

  /** A PING of this side is answered; false if there is none. */
  boolean onPingAck() {
    if (unansweredPings == 0) {
      return false;
    }
    unansweredPings--;
    return true;
  }

  /** A frame ended, and with it the header block, if there was one. */
  void onFrameEnd() {
    due.clear(Matter.FRAME);
  }

  /** The bytes that were read last end inside a frame or a header block. */
  void onUnfinished() {
    if (!due.isSet(Matter.FRAME)) {
      due.set(Matter.FRAME, environment.nowNanos(), timeouts.headerBlockNanos());
    }
  }

  /** A PING arrived; false if it exceeds the limits. */
  boolean onPing() {
    return pings.onPing(streams.count() > 0, environment.nowNanos());
  }

  /** Applies what the last batch has changed, and returns when {@link #onTime} is due. */
  long nextDueNanos(long nowNanos) {
    if (!due.isSet(Matter.STALL)) {
      lookAtWire(nowNanos);
    }
    keepalive.setBusy(streams.count() > 0, nowNanos);
    due.setAt(Matter.KEEPALIVE, keepalive.dueNanos());
    return due.nextNanos();
  }

  /** Does what is due. */
  void onTime(long nowNanos) {
    if (intake.checkBlocked()) {
      postpone(nowNanos);
    }
    postponeAck(nowNanos);
    if (due.isDue(Matter.STALL, nowNanos)) {
      due.clear(Matter.STALL);
      lookAtWire(nowNanos);
    }
    if (stall.isStalled(nowNanos)) {
      fail(
          ErrorCode.ENHANCE_YOUR_CALM,
          "the peer has read nothing of the written data for ",
          timeouts.stallNanos(),
          "stallTimeout");
    }
    if (due.isDue(Matter.KEEPALIVE, nowNanos)) {
      checkKeepalive(nowNanos);
    }
    failOverdueTimeouts(nowNanos);
  }

  /** Nothing is read for now, so this side cannot see what the peer has done. */
  private void postpone(long nowNanos) {
    keepalive.onRead(nowNanos);
    due.clear(Matter.KEEPALIVE);
    due.postpone(Matter.FRAME, nowNanos, timeouts.headerBlockNanos());
    due.postpone(Matter.SETTINGS_ACK, nowNanos, timeouts.settingsAckNanos());
  }

  /**
   * The SETTINGS may be among the bytes that still wait here, which {@link StallWatch} limits; or
   * their acknowledgement waits at the other end.
   */
  private void postponeAck(long nowNanos) {
    if (due.isDue(Matter.SETTINGS_ACK, nowNanos)
        && (environment.sink().wireMark() != ByteSink.NOTHING_WAITS || lookAtData())) {
      due.set(Matter.SETTINGS_ACK, nowNanos, timeouts.settingsAckNanos());
    }
  }

  /**
   * On a slow connection an acknowledgement arrives after what the peer had written before it read
   * the SETTINGS: as much DATA as a window allows. Returns whether that may be so, because enough
   * DATA has arrived since the last look.
   */
  private boolean lookAtData() {
    long arrived = arriving.arrivedBytes();
    boolean moves = arrived - dataAtLook >= MIN_DATA_BYTES;
    dataAtLook = arrived;
    return moves && arrived - dataAtSettings < arriving.size();
  }

  private void failOverdueTimeouts(long nowNanos) {
    if (due.isDue(Matter.HANDSHAKE, nowNanos)) {
      fail(
          ErrorCode.SETTINGS_TIMEOUT,
          "the preface and the first SETTINGS did not arrive within ",
          timeouts.handshakeNanos(),
          "handshakeTimeout");
    }
    if (due.isDue(Matter.SETTINGS_ACK, nowNanos)) {
      fail(
          ErrorCode.SETTINGS_TIMEOUT,
          "SETTINGS were not acknowledged within ",
          timeouts.settingsAckNanos(),
          "settingsAckTimeout");
    }
    if (due.isDue(Matter.FRAME, nowNanos)) {
      fail(
          ErrorCode.ENHANCE_YOUR_CALM,
          "a frame or header block was not completed within ",
          timeouts.headerBlockNanos(),
          "headerBlockTimeout");
    }
  }

  private void lookAtWire(long nowNanos) {
    stall.look(environment.sink().wireMark(), nowNanos);
    if (stall.isWatching()) {
      due.set(Matter.STALL, nowNanos, stall.stepNanos());
    }
  }

  private void checkKeepalive(long nowNanos) {
    switch (keepalive.onTime(nowNanos)) {
      case WAIT -> {}
      case SEND_PING -> ping(KEEPALIVE_PING);
      case GIVE_UP ->
          fail(
              ErrorCode.NO_ERROR,
              "keepalive: no answer to PING within ",
              timeouts.keepalive().answerNanos(),
              "keepAliveTimeout");
    }
  }

  private void fail(ErrorCode code, String rule, long limitNanos, String option) {
    String time = inWords(Duration.ofNanos(limitNanos));
    outbound.fail(new Violation.OutOfTime(code, rule + time + " (" + option + ")"));
  }

  private static String inWords(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }
}
