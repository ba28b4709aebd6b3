package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.RST_STREAM;
import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.raw;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.response;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static dev.gannet.http2.connection.WireFrame.settings;
import static dev.gannet.http2.connection.WireFrame.settingsAck;
import static dev.gannet.http2.connection.WireFrame.trailers;
import static dev.gannet.http2.connection.WireFrame.windowUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.WindowLimits;
import java.util.Arrays;

/** Streams that end at once, from either side (RFC 9113 §5.4.2, §6.4). */
final class ResetTest {
  @ServerScript
  void thePeersResetEndsTheStream(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO), rstStream(1, ErrorCode.CANCEL));
    peer.connectionTells(Told.request(1, EndStream.NO), new Told.Reset(1, ErrorCode.CANCEL));
    assertThat(peer.stream(1).isClosed()).isTrue();
    assertThat(peer.connection().streamCount()).isZero();
    peer.receivesNothingElse();
  }

  @ServerScript
  void everyResetCodeIsReported(ScriptedPeer peer) {
    peer.connects();
    int streamId = 1;
    for (ErrorCode code : ErrorCode.values()) {
      peer.sends(request(streamId, EndStream.YES), rstStream(streamId, code));
      peer.connectionTells(Told.request(streamId, EndStream.YES), new Told.Reset(streamId, code));
      streamId += 2;
    }
  }

  @ServerScript
  void anUnknownCodeCountsAsInternalError(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO), raw(RST_STREAM, 0, 1, new byte[] {0, 0, 0, 0x0e}));
    peer.sends(request(3, EndStream.NO), raw(RST_STREAM, 0, 3, new byte[] {-1, -1, -1, -1}));
    peer.connectionTells(
        Told.request(1, EndStream.NO),
        new Told.Reset(1, ErrorCode.INTERNAL_ERROR),
        Told.request(3, EndStream.NO),
        new Told.Reset(3, ErrorCode.INTERNAL_ERROR));
  }

  @ServerScript
  void aResetIsNotAnsweredWithAReset(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO), rstStream(1, ErrorCode.CANCEL));
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    peer.receivesNothingElse();
  }

  @ServerScript
  void aSecondResetIsNoOffence(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO), rstStream(1, ErrorCode.CANCEL));
    peer.connectionHasTold();
    peer.sends(rstStream(1, ErrorCode.CANCEL));
    peer.receivesNothingElse();
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void dataAfterThePeersOwnResetIsAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO), rstStream(1, ErrorCode.CANCEL));
    peer.connectionHasTold();
    peer.sends(data(1, "late", EndStream.NO));
    peer.isCutOff(1, ErrorCode.STREAM_CLOSED);
  }

  @ServerScript
  void headersAfterThePeersOwnResetAreAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO), rstStream(1, ErrorCode.CANCEL));
    peer.connectionHasTold();
    peer.sends(trailers(1));
    peer.isCutOff(1, ErrorCode.STREAM_CLOSED);
  }

  @ServerScript
  void framesOnTheirWayToAStreamThatWeResetAreIgnored(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connectionHasTold();
    peer.connection().reset(peer.stream(1), ErrorCode.REFUSED_STREAM);
    peer.receives(rstStream(1, ErrorCode.REFUSED_STREAM));
    peer.sends(
        data(1, "late", EndStream.NO),
        windowUpdate(1, 5),
        trailers(1),
        rstStream(1, ErrorCode.CANCEL));
    peer.receivesNothingElse();
    peer.connectionTellsNothingElse();
    assertThat(peer.connection().streamCount()).isZero();
  }

  @ServerScript
  void aStreamThatWeResetEndsOnce(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    peer.rawFrames();
    peer.connectionHasTold();
    peer.sends(data(1, "", EndStream.YES));
    peer.receivesNothingElse();
    peer.sends(data(1, "", EndStream.YES));
    peer.isCutOff(1, ErrorCode.STREAM_CLOSED);
  }

  @ServerScript
  void trailersEndAStreamThatWeResetToo(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    peer.rawFrames();
    peer.connectionHasTold();
    peer.sends(trailers(1));
    peer.receivesNothingElse();
    peer.sends(trailers(1));
    peer.isCutOff(1, ErrorCode.STREAM_CLOSED);
  }

  @ServerScript
  void framesOnTheirWayToEveryAllowedStreamAreIgnored(ScriptedPeer peer) {
    int streams = 256;
    peer.connects(Limits.DEFAULT.withMaxConcurrentStreams(streams));
    for (int i = 0; i < streams; i++) {
      peer.sends(request(2 * i + 1, EndStream.NO));
    }
    peer.connectionHasTold();
    for (int i = 0; i < streams; i++) {
      peer.connection().reset(peer.stream(2 * i + 1), ErrorCode.CANCEL);
    }
    peer.rawFrames();
    for (int i = 0; i < streams; i++) {
      peer.sends(data(2 * i + 1, "late", EndStream.YES));
    }
    peer.receivesNothingElse();
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void framesOnTheirWayToEveryAllowedStreamAreIgnoredHoweverManyAreAllowed(ScriptedPeer peer) {
    int streams = 3000;
    peer.connects(Limits.DEFAULT.withMaxConcurrentStreams(streams));
    for (int i = 0; i < streams; i++) {
      peer.sends(request(2 * i + 1, EndStream.NO));
    }
    peer.rawFrames();
    for (int i = 0; i < streams; i++) {
      peer.connection().reset(peer.stream(2 * i + 1), ErrorCode.CANCEL);
    }
    for (int i = 0; i < streams; i++) {
      peer.sends(data(2 * i + 1, 300, EndStream.YES));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void framesOnTheirWayToEveryRefusedStreamAreIgnored(ScriptedPeer peer) {
    int streams = 5000;
    peer.starts(Limits.DEFAULT).rawFrames();
    peer.sendsPreface();
    peer.sends(settings());
    for (int i = 0; i < streams; i++) {
      peer.sends(request(2 * i + 1, EndStream.NO));
    }
    for (int i = 0; i < streams; i++) {
      peer.sends(data(2 * i + 1, 300, EndStream.NO), trailers(2 * i + 1));
    }
    assertThat(peer.isOver()).isFalse();
    peer.connectionResponds(1, EndStream.YES);
    peer.connection().release(peer.stream(1));
    int next = 2 * streams + 1;
    peer.sends(settingsAck(), request(next, EndStream.YES));
    peer.connectionResponds(next, EndStream.YES);
    peer.sends(data(next, "late", EndStream.NO));
    peer.isCutOff(ErrorCode.STREAM_CLOSED);
  }

  @ServerScript
  void aStreamThatWasRefusedEarlyEndsOnce(ScriptedPeer peer) {
    refusesEarly(1, peer);
    peer.sends(data(3, "", EndStream.YES));
    assertThat(peer.isOver()).isFalse();
    peer.sends(data(3, "", EndStream.YES));
    peer.isCutOff(ErrorCode.STREAM_CLOSED);
  }

  @ServerScript
  void trailersEndAStreamThatWasRefusedEarlyToo(ScriptedPeer peer) {
    refusesEarly(1, peer);
    peer.sends(trailers(3));
    assertThat(peer.isOver()).isFalse();
    peer.sends(trailers(3));
    peer.isCutOff(ErrorCode.STREAM_CLOSED);
  }

  @ServerScript
  void eachStreamThatWasRefusedEarlyMayEndAndBeReset(ScriptedPeer peer) {
    int streams = 100;
    refusesEarly(streams, peer);
    for (int i = 1; i <= streams; i++) {
      peer.sends(data(2 * i + 1, "", EndStream.YES), rstStream(2 * i + 1, ErrorCode.CANCEL));
    }
    assertThat(peer.isOver()).isFalse();
  }

  /** Serves stream 1, and refuses so many behind it whose client does not know the limit. */
  private static void refusesEarly(int streams, ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT.withMaxConcurrentStreams(1)).rawFrames();
    peer.sendsPreface();
    peer.sends(settings());
    for (int i = 0; i <= streams; i++) {
      peer.sends(request(2 * i + 1, EndStream.NO));
    }
    peer.sends(settingsAck());
  }

  @ServerScript
  void manySmallMessagesOnTheirWayToADeclinedStreamAreNoOffence(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connectionResponds(1, EndStream.YES);
    peer.connection().reset(peer.stream(1), ErrorCode.NO_ERROR);
    for (int i = 0; i < 5000; i++) {
      peer.sends(data(1, "tiny message", EndStream.NO));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void moreThanCanBeOnItsWayToADeclinedStreamIsAnOffence(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withWindows(WindowLimits.fixed(10_000, 1 << 20)));
    peer.sends(request(1, EndStream.NO));
    peer.connectionResponds(1, EndStream.YES);
    peer.connection().reset(peer.stream(1), ErrorCode.NO_ERROR);
    peer.connectionHasTold();
    for (int i = 0; i < 10_000; i++) {
      peer.sends(data(1, "d", EndStream.NO));
    }
    assertThat(peer.isOver()).isFalse();
    for (int i = 0; i < 5000 && !peer.isOver(); i++) {
      peer.sends(data(1, "d", EndStream.NO));
    }
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void largeDataThatCannotBeOnItsWayToADeclinedStreamIsAnOffence(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withWindows(WindowLimits.fixed(300_000, 1 << 20)));
    peer.sends(request(1, EndStream.NO));
    peer.connection().reset(peer.stream(1), ErrorCode.NO_ERROR);
    for (int i = 0; i < 2000; i++) {
      peer.sends(data(1, 300, EndStream.NO));
    }
    assertThat(peer.isOver()).isFalse();
    peer.sends(data(1, 300, EndStream.NO));
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void theWholeWindowOfAStreamThatIsResetInsideAFrameMayBeOnItsWay(ScriptedPeer peer) {
    int streams = 1200;
    peer.connects(Limits.DEFAULT.withWindows(WindowLimits.fixed(600, 1 << 20)));
    for (int streamId = 1; streamId < 2 * streams; streamId += 2) {
      byte[] frame = data(streamId, 300, EndStream.NO).octets();
      peer.sends(request(streamId, EndStream.NO));
      peer.sendsOctets(Arrays.copyOf(frame, 100));
      peer.connection().reset(peer.stream(streamId), ErrorCode.CANCEL);
      peer.connection().release(peer.stream(streamId));
      peer.sendsOctets(Arrays.copyOfRange(frame, 100, frame.length));
      peer.sends(data(streamId, 300, EndStream.NO));
      peer.rawFrames();
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void aRefusedStreamMayUseTheWindowThatItsPeerKnows(ScriptedPeer peer) {
    int streams = 2000;
    peer.starts(Limits.DEFAULT.withWindows(WindowLimits.fixed(100, 1 << 20))).rawFrames();
    peer.sendsPreface();
    peer.sends(settings());
    for (int i = 0; i < 256 + streams; i++) {
      peer.sends(request(2 * i + 1, EndStream.NO));
    }
    for (int i = 256; i < 256 + streams; i++) {
      peer.sends(data(2 * i + 1, 300, EndStream.NO));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void aResetInsideADataFrameStopsItsRest(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    byte[] frame = data(1, "first, second", EndStream.YES).paddedBy(9).octets();
    peer.sendsOctets(Arrays.copyOf(frame, 9 + 1 + 5));
    peer.connectionTells(Told.request(1, EndStream.NO), new Told.Data(1, "first"));
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    peer.receives(rstStream(1, ErrorCode.CANCEL));
    peer.sendsOctets(Arrays.copyOfRange(frame, 9 + 1 + 5, frame.length));
    peer.sends(request(3, EndStream.YES));
    peer.connectionTells(Told.request(3, EndStream.YES));
    peer.receivesNothingElse();
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void aResetStreamAcceptsNoMoreOutput(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connectionSends(1, "queued", EndStream.NO);
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    peer.connectionResponds(1, EndStream.NO);
    peer.connectionSends(1, "late", EndStream.YES);
    peer.connectionSendsTrailers(1);
    peer.connection().consumed(peer.stream(1), 1 << 20);
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    peer.receives(rstStream(1, ErrorCode.CANCEL));
    peer.receivesNothingElse();
  }

  @ServerScript
  void theRestOfARequestCanBeRefusedAfterTheResponse(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connectionResponds(1, EndStream.YES);
    peer.connection().reset(peer.stream(1), ErrorCode.NO_ERROR);
    peer.receives(response(1, EndStream.YES), rstStream(1, ErrorCode.NO_ERROR));
    peer.sends(data(1, "unwanted", EndStream.YES));
    peer.receivesNothingElse();
  }
}
