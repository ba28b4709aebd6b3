package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.ACK;
import static dev.gannet.http2.connection.WireFrame.ENABLE_PUSH;
import static dev.gannet.http2.connection.WireFrame.HEADER_TABLE_SIZE;
import static dev.gannet.http2.connection.WireFrame.INITIAL_WINDOW_SIZE;
import static dev.gannet.http2.connection.WireFrame.MAX_CONCURRENT_STREAMS;
import static dev.gannet.http2.connection.WireFrame.MAX_FRAME_SIZE;
import static dev.gannet.http2.connection.WireFrame.MAX_HEADER_LIST_SIZE;
import static dev.gannet.http2.connection.WireFrame.ping;
import static dev.gannet.http2.connection.WireFrame.pingAck;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.settings;
import static dev.gannet.http2.connection.WireFrame.settingsAck;
import static dev.gannet.http2.connection.WireFrame.windowUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.AbuseLimits;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.HeaderLimits;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.WorkLimits;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** How a connection begins and how settings take effect (RFC 9113 §3.4, §6.5). */
final class PrefaceAndSettingsTest {
  private static final Limits LIMITS =
      new Limits(
          20_000,
          33,
          Limits.DEFAULT.streamsPerConnection(),
          new HeaderLimits(9000, 50, 8, 2048),
          WindowLimits.fixed(70_000, 80_000),
          WorkLimits.DEFAULT,
          AbuseLimits.DEFAULT,
          Timeouts.DEFAULT);

  @ServerScript
  void aServerStartsWithSettingsAndAConnectionWindowUpdate(ScriptedPeer peer) {
    peer.starts(LIMITS);
    var frames = peer.rawFrames();
    assertThat(entries(frames.getFirst()))
        .containsEntry(HEADER_TABLE_SIZE, 2048)
        .containsEntry(MAX_CONCURRENT_STREAMS, 33)
        .containsEntry(INITIAL_WINDOW_SIZE, 70_000)
        .containsEntry(MAX_FRAME_SIZE, 20_000)
        .containsEntry(MAX_HEADER_LIST_SIZE, 9000)
        .doesNotContainKey(ENABLE_PUSH);
    assertThat(frames.subList(1, frames.size())).containsExactly(windowUpdate(0, 80_000 - 65_535));
  }

  @ServerScript
  void aConnectionWindowOfTheDefaultSizeNeedsNoUpdate(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT.withWindows(WindowLimits.fixed(1000, 65_535)));
    assertThat(peer.rawFrames()).hasSize(1);
  }

  @ClientScript
  void aClientStartsWithThePrefaceAndSettingsWithoutPush(ScriptedPeer peer) {
    peer.starts(LIMITS);
    byte[] said = peer.rawOctets();
    int preface = ScriptedPeer.PREFACE.length;
    assertThat(Arrays.copyOf(said, preface)).isEqualTo(ScriptedPeer.PREFACE);
    var frames = new FrameCutter().cut(Arrays.copyOfRange(said, preface, said.length));
    assertThat(entries(frames.getFirst()))
        .containsEntry(ENABLE_PUSH, 0)
        .containsEntry(INITIAL_WINDOW_SIZE, 70_000)
        .doesNotContainKey(MAX_CONCURRENT_STREAMS);
  }

  @ServerScript
  void aServerWaitsForThePrefaceAndSettings(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT).rawFrames();
    assertThat(peer.connection().isPastPreface()).isFalse();
    peer.sendsOctets(Arrays.copyOf(ScriptedPeer.PREFACE, 23));
    assertThat(peer.connection().isPastPreface()).isFalse();
    peer.sendsOctets(new byte[] {'\n'});
    assertThat(peer.connection().isPastPreface()).isTrue();
    peer.receivesNothingElse();
    peer.sends(settings());
    peer.receives(settingsAck());
    peer.connectionTells(new Told.Settings());
    peer.receivesNothingElse();
  }

  @ServerScript
  void prefaceSettingsAndRequestsMayArriveTogether(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT).rawFrames();
    byte[] frames = WireFrame.octets(settings(), request(1, EndStream.YES));
    byte[] all = Arrays.copyOf(ScriptedPeer.PREFACE, ScriptedPeer.PREFACE.length + frames.length);
    System.arraycopy(frames, 0, all, ScriptedPeer.PREFACE.length, frames.length);
    peer.sendsOctets(all);
    peer.receives(settingsAck());
    peer.connectionTells(new Told.Settings(), Told.request(1, EndStream.YES));
  }

  @ServerScript
  void aFirstFrameThatIsNotSettingsIsAConnectionError(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT).rawFrames();
    peer.sendsPreface();
    peer.sends(ping(1));
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
  }

  @ServerScript
  void aFirstFrameOfAnUnknownTypeIsNotSettingsEither(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT).rawFrames();
    peer.sendsPreface();
    peer.sends(WireFrame.raw(0xfa, 0, 0, 3));
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
  }

  @ServerScript
  void dataAsFirstFrameIsAConnectionError(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT).rawFrames();
    peer.sendsPreface();
    peer.sends(WireFrame.data(1, "early", EndStream.NO));
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
  }

  @ServerScript
  void anAcknowledgementAsFirstFrameIsAConnectionError(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT).rawFrames();
    peer.sendsPreface();
    peer.sends(settingsAck());
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
  }

  @ClientScript
  void aServersFirstFrameMustBeSettingsToo(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT);
    peer.rawOctets();
    peer.sends(ping(1));
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
  }

  @ServerScript
  void eachSettingsIsAcknowledgedInItsTurn(ScriptedPeer peer) {
    peer.connects();
    peer.sends(settings(), ping(1), settings(MAX_HEADER_LIST_SIZE, 77), ping(2));
    peer.receives(settingsAck(), pingAck(1), settingsAck(), pingAck(2));
    peer.connectionTells(new Told.Settings(), new Told.Settings());
    peer.receivesNothingElse();
  }

  @ServerScript
  void anAcknowledgementIsNotAnswered(ScriptedPeer peer) {
    peer.connects();
    peer.sends(settingsAck());
    peer.receivesNothingElse();
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void unknownSettingsAreIgnored(ScriptedPeer peer) {
    peer.connects();
    peer.sends(settings(0, 1, 7, 2, 0xffff, -1));
    peer.receives(settingsAck());
    peer.receivesNothingElse();
  }

  @ServerScript
  void everyLegalValueIsAccepted(ScriptedPeer peer) {
    peer.connects();
    peer.sends(
        settings(HEADER_TABLE_SIZE, 0, HEADER_TABLE_SIZE, -1),
        settings(ENABLE_PUSH, 0, ENABLE_PUSH, 1),
        settings(MAX_CONCURRENT_STREAMS, 0, MAX_CONCURRENT_STREAMS, -1),
        settings(INITIAL_WINDOW_SIZE, 0, INITIAL_WINDOW_SIZE, Integer.MAX_VALUE),
        settings(MAX_FRAME_SIZE, 1 << 14, MAX_FRAME_SIZE, (1 << 24) - 1),
        settings(MAX_HEADER_LIST_SIZE, 0, MAX_HEADER_LIST_SIZE, -1));
    WireFrame ack = settingsAck();
    peer.receives(ack, ack, ack, ack, ack, ack);
    peer.receivesNothingElse();
    assertThat(peer.connection().peerMaxHeaderListBytes()).isEqualTo((1L << 32) - 1);
  }

  @ServerScript
  void theLastValueOfASettingApplies(ScriptedPeer peer) {
    peer.connects();
    peer.sends(settings(MAX_HEADER_LIST_SIZE, 10, MAX_HEADER_LIST_SIZE, 20));
    assertThat(peer.connection().peerMaxHeaderListBytes()).isEqualTo(20);
  }

  @ServerScript
  void thirtyTwoEntriesAreAccepted(ScriptedPeer peer) {
    peer.connects();
    peer.sends(settings(new int[2 * 32]));
    peer.receives(settingsAck());
    peer.receivesNothingElse();
  }

  @ServerScript
  void otherFlagsOfSettingsAreIgnored(ScriptedPeer peer) {
    peer.connects();
    peer.sends(settings().flagged(0xff & ~ACK));
    peer.receives(settingsAck());
    peer.receivesNothingElse();
  }

  private static Map<Integer, Integer> entries(WireFrame settings) {
    assertThat(settings.type()).isEqualTo(WireFrame.SETTINGS);
    assertThat(settings.flags()).isZero();
    assertThat(settings.streamId()).isZero();
    Map<Integer, Integer> entries = new HashMap<>();
    for (var in = settings.payload().duplicate(); in.hasRemaining(); ) {
      entries.put(in.getShort() & 0xffff, in.getInt());
    }
    return entries;
  }
}
