package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.ping;
import static dev.gannet.http2.connection.WireFrame.pingAck;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.settings;
import static dev.gannet.http2.connection.WireFrame.settingsAck;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.ByteSink;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.WindowLimits;
import java.time.Duration;
import java.util.Arrays;

/** A peer that is late with what it owes loses the connection, and learns why. */
final class TimeoutsTest {
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
  private static final Duration MOMENT = Duration.ofNanos(1);
  private static final int FRAME_BYTES = 16 << 10;
  private static final int FRAMES_IN_A_WINDOW = 8;

  @ServerScript
  void aSilentClientIsClosedAfterTenSeconds(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT).rawFrames();
    peer.waits(TEN_SECONDS.minus(MOMENT));
    assertThat(peer.isOver()).isFalse();
    peer.waits(MOMENT);
    assertThat(peer.lastWords()).contains("preface").endsWith(" 10 s (handshakeTimeout)");
    peer.isCutOff(0, ErrorCode.SETTINGS_TIMEOUT);
  }

  @ServerScript
  void aPrefaceWithoutSettingsDoesNotEndTheTimeout(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT).rawFrames();
    peer.waits(TEN_SECONDS.minus(MOMENT));
    peer.sendsPreface();
    peer.waits(MOMENT);
    assertThat(peer.lastWords()).contains("preface");
    peer.isCutOff(0, ErrorCode.SETTINGS_TIMEOUT);
  }

  @ClientScript
  void aServerWithoutSettingsIsClosedAsWell(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT).rawOctets();
    peer.waits(TEN_SECONDS);
    assertThat(peer.lastWords()).contains("SETTINGS").endsWith(" 10 s (handshakeTimeout)");
    peer.isCutOff(0, ErrorCode.SETTINGS_TIMEOUT);
  }

  @ServerScript
  void settingsMustBeAcknowledgedWithinTenSeconds(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT).rawFrames();
    peer.sendsPreface();
    peer.sends(settings());
    peer.receives(settingsAck());
    peer.connectionTells(new Told.Settings());
    peer.waits(TEN_SECONDS.minus(MOMENT));
    assertThat(peer.isOver()).isFalse();
    peer.waits(MOMENT);
    assertThat(peer.lastWords()).contains("acknowledged").endsWith(" 10 s (settingsAckTimeout)");
    peer.isCutOff(0, ErrorCode.SETTINGS_TIMEOUT);
  }

  @ServerScript
  void settingsThatWaitForTheWireAreNotLate(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT).rawFrames();
    peer.sendsPreface();
    peer.sends(settings());
    peer.rawFrames();
    peer.connectionHasTold();
    peer.sink().standsAt(42);
    peer.waits(TEN_SECONDS.multipliedBy(5));
    assertThat(peer.isOver()).isFalse();
    peer.sink().standsAt(ByteSink.NOTHING_WAITS);
    peer.waits(TEN_SECONDS);
    assertThat(peer.lastWords()).contains("acknowledged").endsWith(" 10 s (settingsAckTimeout)");
    peer.isCutOff(0, ErrorCode.SETTINGS_TIMEOUT);
  }

  /** On a slow way the acknowledgement comes behind what was written before. */
  @ServerScript
  void settingsAreNotLateWhileDataWithinTheWindowArrives(ScriptedPeer peer) {
    sendsDataInsteadOfAnAck(peer, FRAMES_IN_A_WINDOW - 1);
    assertThat(peer.isOver()).isFalse();
    peer.waits(TEN_SECONDS);
    assertThat(peer.lastWords()).contains("acknowledged");
  }

  @ServerScript
  void dataDoesNotMakeUpForSettingsThatAreNeverAcknowledged(ScriptedPeer peer) {
    sendsDataInsteadOfAnAck(peer, FRAMES_IN_A_WINDOW);
    assertThat(peer.lastWords()).contains("acknowledged");
  }

  private static void sendsDataInsteadOfAnAck(ScriptedPeer peer, int frames) {
    int windowBytes = FRAMES_IN_A_WINDOW * FRAME_BYTES;
    peer.starts(Limits.DEFAULT.withWindows(WindowLimits.fixed(windowBytes, windowBytes)));
    peer.sendsPreface();
    peer.sends(settings(), request(1, EndStream.NO));
    for (int i = 0; i < frames; i++) {
      peer.sends(data(1, FRAME_BYTES, EndStream.NO));
      peer.waits(TEN_SECONDS);
    }
  }

  @ServerScript
  void aConnectionThatIsSetUpIsNotWoken(ScriptedPeer peer) {
    peer.connects();
    assertThat(peer.isWakeAskedFor()).isFalse();
    peer.sends(request(1, EndStream.NO), data(1, "d", EndStream.YES), ping(1));
    assertThat(peer.isWakeAskedFor()).isFalse();
  }

  @ServerScript
  void aHeaderBlockMustEndWithinTenSeconds(ScriptedPeer peer) {
    peer.connects();
    WireFrame[] block = request(1, EndStream.NO).inFragments(3);
    peer.sends(block[0]);
    peer.waits(TEN_SECONDS.dividedBy(2));
    peer.sends(block[1]);
    peer.waits(TEN_SECONDS.dividedBy(2).minus(MOMENT));
    peer.sends(block[2]);
    assertThat(peer.isOver()).isFalse();
    peer.waits(MOMENT);
    assertThat(peer.lastWords()).contains("header block").endsWith(" 10 s (headerBlockTimeout)");
    peer.isCutOff(0, ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void eachHeaderBlockHasItsTime(ScriptedPeer peer) {
    peer.connects();
    for (int streamId = 1; streamId < 9; streamId += 2) {
      WireFrame[] block = request(streamId, EndStream.NO).inFragments(1);
      peer.sends(block[0]);
      peer.waits(TEN_SECONDS.minus(MOMENT));
      peer.sends(block[1]);
    }
    peer.waits(TEN_SECONDS);
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void aSingleFrameMustEndWithinTenSecondsToo(ScriptedPeer peer) {
    peer.connects();
    byte[] octets = request(1, EndStream.NO).octets();
    peer.sendsOctets(Arrays.copyOf(octets, octets.length - 1));
    peer.waits(TEN_SECONDS);
    assertThat(peer.lastWords()).contains("frame");
    peer.isCutOff(0, ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void framesThatAreTornAgainAndAgainAreNotLate(ScriptedPeer peer) {
    peer.connects();
    byte[] octets = ping(7).octets();
    byte[] joint = new byte[octets.length];
    System.arraycopy(octets, 4, joint, 0, octets.length - 4);
    System.arraycopy(octets, 0, joint, octets.length - 4, 4);
    peer.sendsOctets(Arrays.copyOf(octets, 4));
    for (int i = 0; i < 5; i++) {
      peer.waits(TEN_SECONDS.minus(MOMENT));
      peer.sendsOctets(joint);
      peer.receives(pingAck(7));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void dataMayArriveByteByByte(ScriptedPeer peer) {
    peer.connects();
    byte[] octets = data(1, "slow", EndStream.NO).octets();
    peer.sends(request(1, EndStream.NO));
    for (byte octet : octets) {
      peer.sendsOctets(new byte[] {octet});
      peer.waits(Duration.ofSeconds(1));
    }
    peer.waits(Duration.ofHours(1));
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void aWireWithoutProgressIsClosedAfterTenMinutes(ScriptedPeer peer) {
    peer.connects();
    peer.sink().standsAt(42);
    peer.waits(Duration.ofMinutes(10).minus(MOMENT));
    assertThat(peer.isOver()).isFalse();
    peer.waits(MOMENT);
    assertThat(peer.lastWords()).endsWith(" 600 s (stallTimeout)");
    peer.isCutOff(0, ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void aWireWithOccasionalProgressIsKept(ScriptedPeer peer) {
    peer.connects();
    for (int mark = 1; mark < 10; mark++) {
      peer.sink().standsAt(mark);
      peer.waits(Duration.ofMinutes(9));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void afterTheOutputHasLeftTheWireIsNotWatched(ScriptedPeer peer) {
    peer.connects();
    peer.sink().standsAt(1);
    peer.waits(Duration.ofMinutes(9));
    peer.sink().standsAt(ByteSink.NOTHING_WAITS);
    peer.waits(Duration.ofMinutes(1));
    assertThat(peer.isWakeAskedFor()).isFalse();
    peer.sink().standsAt(1);
    peer.waits(Duration.ofMinutes(9));
    assertThat(peer.isOver()).isFalse();
  }

  /** A reader may take its time: that is what windows are for. */
  @ServerScript
  void dataThatWaitsForAWindowIsNoStall(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, WireFrame.INITIAL_WINDOW_SIZE, 1);
    peer.sends(request(1, EndStream.YES));
    peer.connectionResponds(1, EndStream.NO);
    peer.connectionSends(1, "waits", EndStream.NO);
    peer.waits(Duration.ofDays(1));
    assertThat(peer.isOver()).isFalse();
    assertThat(peer.stream(1).queuedBytes()).isEqualTo(4);
  }

  @ServerScript
  void endlessTimeoutsNeverExpire(ScriptedPeer peer) {
    Timeouts patient =
        new Timeouts(
            Timeouts.NEVER,
            Timeouts.NEVER,
            Timeouts.NEVER,
            Timeouts.NEVER,
            Timeouts.DEFAULT.keepalive(),
            Timeouts.DEFAULT.pings());
    peer.starts(Limits.DEFAULT.withTimeouts(patient));
    peer.waits(Duration.ofDays(10_000));
    peer.sendsPreface();
    peer.sends(settings(), request(1, EndStream.NO).inFragments(1)[0]);
    peer.waits(Duration.ofDays(10_000));
    assertThat(peer.isOver()).isFalse();
  }
}
