package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.ENABLE_PUSH;
import static dev.gannet.http2.connection.WireFrame.INITIAL_WINDOW_SIZE;
import static dev.gannet.http2.connection.WireFrame.MAX_CONCURRENT_STREAMS;
import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.headers;
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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Streams as their client sees them (RFC 9113 §5.1, §8.1, §8.4). */
final class ClientRoleTest {
  @ClientScript
  void streamsHaveOddIdsInOrder(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.YES);
    peer.asksForStream(EndStream.NO);
    peer.asksForStream(EndStream.YES);
    peer.receives(request(1, EndStream.YES), request(3, EndStream.NO), request(5, EndStream.YES));
    assertThat(peer.connection().streamCount()).isEqualTo(3);
    assertThat(peer.connection().isRunningOut()).isFalse();
  }

  @ClientScript
  void streamIdsRunOutAfterThreeQuartersOfThem(ScriptedPeer peer) {
    peer.connects();
    peer.connection().skipStreamsBelow((3 << 29) - 1);
    assertThat(peer.connection().isRunningOut()).isFalse();
    peer.asksForStream(EndStream.YES);
    assertThat(peer.connection().isRunningOut()).isTrue();
    assertThat(peer.connection().canOpenStream()).isTrue();
  }

  @ClientScript
  void afterTheLastIdNoStreamIsOpened(ScriptedPeer peer) {
    peer.connects();
    peer.connection().skipStreamsBelow(Integer.MAX_VALUE);
    peer.asksForStream(EndStream.YES);
    peer.receives(request(Integer.MAX_VALUE, EndStream.YES));
    assertThat(peer.connection().isRunningOut()).isTrue();
    assertThat(peer.connection().canOpenStream()).isFalse();
  }

  @ClientScript
  void aResponseArrives(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.YES);
    peer.connectionTells(new Told.EndSent(1));
    peer.sends(response(1, EndStream.NO), data(1, "answer", EndStream.NO), trailers(1));
    peer.connectionTells(
        Told.response(1, EndStream.NO), new Told.Data(1, "answer"), Told.trailers(1));
    assertThat(peer.connection().streamCount()).isZero();
    peer.connectionTellsNothingElse();
  }

  @ClientScript
  void aResponseMayEndBeforeItsRequest(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.NO);
    peer.receives(request(1, EndStream.NO));
    peer.sends(response(1, EndStream.YES));
    peer.connectionTells(Told.response(1, EndStream.YES));
    peer.connectionSends(1, "more", EndStream.YES);
    peer.receives(data(1, "more", EndStream.YES));
    peer.connectionTells(new Told.DataSent(1, 4), new Told.EndSent(1));
    assertThat(peer.connection().streamCount()).isZero();
  }

  @ClientScript
  void aServerMayRespondAndThenRefuseTheRestOfTheRequest(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.NO);
    peer.receives(request(1, EndStream.NO));
    peer.sends(response(1, EndStream.YES), rstStream(1, ErrorCode.NO_ERROR));
    peer.connectionTells(Told.response(1, EndStream.YES), new Told.Reset(1, ErrorCode.NO_ERROR));
    assertThat(peer.connection().streamCount()).isZero();
  }

  @ClientScript
  void noMoreStreamsAreOpenThanTheServerAllows(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, MAX_CONCURRENT_STREAMS, 2);
    peer.asksForStream(EndStream.YES);
    assertThat(peer.connection().canOpenStream()).isTrue();
    peer.asksForStream(EndStream.YES);
    assertThat(peer.connection().canOpenStream()).isFalse();
    peer.sends(response(1, EndStream.YES));
    assertThat(peer.connection().canOpenStream()).isTrue();
    peer.sends(settings(MAX_CONCURRENT_STREAMS, 0));
    assertThat(peer.connection().canOpenStream()).isFalse();
    peer.sends(settings(MAX_CONCURRENT_STREAMS, -1));
    assertThat(peer.connection().canOpenStream()).isTrue();
  }

  @ClientScript
  void aStreamMayBeOpenedBeforeTheServersSettings(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT);
    peer.rawOctets();
    peer.asksForStream(EndStream.NO);
    peer.connectionSends(1, "early", EndStream.YES);
    peer.receives(request(1, EndStream.NO), data(1, "early", EndStream.YES));
    peer.connectionHasTold();
    peer.sends(settings(), settingsAck(), response(1, EndStream.YES));
    peer.connectionTells(new Told.Settings(), Told.response(1, EndStream.YES));
  }

  @ClientScript
  void settingsOfTheServerApplyToOlderStreamsAsWell(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT);
    peer.rawOctets();
    peer.asksForStream(EndStream.NO);
    peer.receives(request(1, EndStream.NO));
    peer.sends(settings(INITIAL_WINDOW_SIZE, 3));
    peer.connectionSends(1, "12345", EndStream.YES);
    peer.receives(settingsAck(), data(1, "123", EndStream.NO));
    peer.receivesNothingElse();
  }

  @ClientScript
  void responsesOfStreamsThatWeResetAreIgnored(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.NO);
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    peer.receives(request(1, EndStream.NO), rstStream(1, ErrorCode.CANCEL));
    peer.sends(
        response(1, EndStream.NO),
        windowUpdate(1, 1),
        data(1, "late", EndStream.NO),
        trailers(1),
        rstStream(1, ErrorCode.NO_ERROR));
    peer.connectionTellsNothingElse();
    peer.receivesNothingElse();
  }

  @ClientScript
  void manyCancelledCallsAreNoOffence(ScriptedPeer peer) {
    int calls = 1000;
    peer.connects();
    for (int i = 0; i < calls; i++) {
      peer.asksForStream(EndStream.YES);
    }
    for (int i = 0; i < calls; i++) {
      peer.connection().reset(peer.stream(2 * i + 1), ErrorCode.CANCEL);
    }
    peer.rawFrames();
    peer.connectionHasTold();
    for (int i = 0; i < calls; i++) {
      peer.sends(response(2 * i + 1, EndStream.YES));
    }
    peer.connectionTellsNothingElse();
    peer.receivesNothingElse();
  }

  @ClientScript
  void errorsOnManyCancelledCallsAreNoOffence(ScriptedPeer peer) {
    int calls = 4000;
    peer.connects();
    for (int i = 0; i < calls; i++) {
      peer.asksForStream(EndStream.YES);
    }
    for (int i = 0; i < calls; i++) {
      peer.connection().reset(peer.stream(2 * i + 1), ErrorCode.CANCEL);
    }
    peer.rawFrames();
    peer.connectionHasTold();
    for (int i = 0; i < calls; i++) {
      peer.sends(
          response(2 * i + 1, EndStream.NO),
          data(2 * i + 1, 300, EndStream.NO),
          trailers(2 * i + 1));
    }
    peer.connectionTellsNothingElse();
    assertThat(peer.isOver()).isFalse();
  }

  @ClientScript
  void interimResponsesOnTheirWayToCancelledCallsAreNoOffence(ScriptedPeer peer) {
    int calls = 4000;
    peer.connects();
    for (int i = 0; i < calls; i++) {
      peer.asksForStream(EndStream.YES);
    }
    for (int i = 0; i < calls; i++) {
      peer.connection().reset(peer.stream(2 * i + 1), ErrorCode.CANCEL);
    }
    for (int i = 0; i < calls; i++) {
      peer.sends(
          headers(2 * i + 1, Fields.of(":status", "103"), EndStream.NO),
          response(2 * i + 1, EndStream.NO),
          trailers(2 * i + 1));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ClientScript
  void endlessHeaderListsOnACancelledCallEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.YES);
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    for (int i = 0; i < 5000 && !peer.isOver(); i++) {
      peer.sends(response(1, EndStream.NO));
    }
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ClientScript
  void manySmallMessagesOnTheirWayToACancelledCallAreNoOffence(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.YES);
    peer.sends(response(1, EndStream.NO));
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    peer.connectionHasTold();
    for (int i = 0; i < 5000; i++) {
      peer.sends(data(1, "tiny message", EndStream.NO));
    }
    peer.connectionTellsNothingElse();
    assertThat(peer.isOver()).isFalse();
  }

  @ClientScript
  void largeDataThatCannotBeOnItsWayToACancelledCallIsAnOffence(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withWindows(WindowLimits.fixed(10_000, 1 << 20)));
    peer.asksForStream(EndStream.YES);
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    for (int i = 0; i < 5000 && !peer.isOver(); i++) {
      peer.sends(data(1, 300, EndStream.NO));
    }
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ClientScript
  void endlessFramesOnAnEndedCallEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.YES);
    peer.receives(request(1, EndStream.YES));
    peer.sends(response(1, EndStream.YES));
    peer.connectionHasTold();
    peer.sends(data(1, "late", EndStream.NO), trailers(1));
    peer.connectionTellsNothingElse();
    peer.receivesNothingElse();
    for (int i = 0; i < 5000 && !peer.isOver(); i++) {
      peer.sends(trailers(1));
    }
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ClientScript
  void endlessDataOnEndedCallsEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.YES);
    peer.receives(request(1, EndStream.YES));
    peer.sends(response(1, EndStream.YES));
    peer.connectionHasTold();
    for (int i = 0; i < 5000 && !peer.isOver(); i++) {
      peer.sends(data(1, 300, EndStream.YES));
    }
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ClientScript
  void manyRefusalsOfAServerAreNoOffence(ScriptedPeer peer) {
    peer.connects();
    for (int streamId = 1; streamId < 1000; streamId += 2) {
      peer.asksForStream(EndStream.YES);
      peer.sends(rstStream(streamId, ErrorCode.REFUSED_STREAM));
    }
    assertThat(peer.isOver()).isFalse();
    assertThat(peer.connection().canOpenStream()).isTrue();
  }

  @ClientScript
  void aResetAfterEachResponseIsNoOffence(ScriptedPeer peer) {
    peer.connects();
    for (int streamId = 1; streamId < 5000; streamId += 2) {
      peer.asksForStream(EndStream.YES);
      peer.sends(response(streamId, EndStream.YES), rstStream(streamId, ErrorCode.NO_ERROR));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ClientScript
  void tooManyResetsPerStreamEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.YES);
    for (int i = 0; i < 5000 && !peer.isOver(); i++) {
      peer.sends(rstStream(1, ErrorCode.NO_ERROR));
    }
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ClientScript
  void aResetAfterEachMalformedResponseDoesNotExcuseIt(ScriptedPeer peer) {
    peer.connects();
    for (int streamId = 1; streamId < 5000 && !peer.isOver(); streamId += 2) {
      peer.asksForStream(EndStream.YES);
      peer.sends(trailers(streamId), rstStream(streamId, ErrorCode.NO_ERROR));
    }
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ClientScript
  void aResetForEachDataThatWasOnItsWayIsNoOffence(ScriptedPeer peer) {
    peer.connects();
    Http2Stream upload = peer.asksForStream(EndStream.NO);
    int frames = 3000;
    for (int i = 0; i < frames; i++) {
      peer.connection().sendData(upload, ByteBuffer.wrap(new byte[] {1}), EndStream.NO);
      peer.connection().flush();
    }
    peer.sends(response(1, EndStream.YES));
    for (int i = 0; i <= frames; i++) {
      peer.sends(rstStream(1, ErrorCode.STREAM_CLOSED));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ClientScript
  void aResponseOnAStreamNobodyOpenedIsAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.YES);
    peer.receives(request(1, EndStream.YES));
    peer.connectionHasTold();
    peer.sends(response(3, EndStream.YES));
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
  }

  @ClientScript
  void aServerOpensNoStream(ScriptedPeer peer) {
    peer.connects();
    peer.sends(response(2, EndStream.NO));
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
  }

  @ClientScript
  void dataOnAStreamNobodyOpenedIsAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.sends(data(1, "early", EndStream.NO));
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
  }

  @ClientScript
  void framesAfterTheEndOfTheResponseAreAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.NO);
    peer.receives(request(1, EndStream.NO));
    peer.sends(response(1, EndStream.YES));
    peer.connectionHasTold();
    peer.sends(data(1, "late", EndStream.NO));
    peer.isCutOff(0, ErrorCode.STREAM_CLOSED);
  }

  @ClientScript
  void pushIsAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.YES);
    peer.receives(request(1, EndStream.YES));
    peer.connectionHasTold();
    peer.sends(
        WireFrame.raw(
            WireFrame.PUSH_PROMISE, WireFrame.END_HEADERS, 1, new byte[] {0, 0, 0, 2, -126}));
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
  }

  @ClientScript
  void aServerMayNotTurnPushOn(ScriptedPeer peer) {
    peer.connects();
    peer.sends(settings(ENABLE_PUSH, 0));
    peer.receives(settingsAck());
    peer.connectionHasTold();
    peer.sends(settings(ENABLE_PUSH, 1));
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
  }

  @ClientScript
  void aServerThatExceedsAStreamsWindowHasTheStreamReset(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withWindows(WindowLimits.fixed(100, 1 << 20)));
    peer.asksForStream(EndStream.YES);
    peer.receives(request(1, EndStream.YES));
    peer.connectionHasTold();
    peer.sends(response(1, EndStream.NO), data(1, 101, EndStream.NO));
    peer.receives(rstStream(1, ErrorCode.FLOW_CONTROL_ERROR));
    peer.connectionTells(
        Told.response(1, EndStream.NO), new Told.Broken(1, ErrorCode.FLOW_CONTROL_ERROR));
  }

  @ClientScript
  void aStreamOlderThanOurAcknowledgedSettingsDoesNotStall(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT.withWindows(WindowLimits.fixed(1000, 1 << 20)));
    peer.asksForStream(EndStream.YES);
    peer.rawOctets();
    peer.sends(settings(), settingsAck(), response(1, EndStream.NO));
    peer.receives(settingsAck());
    peer.sends(data(1, 1000, EndStream.NO));
    peer.connection().consumed(peer.stream(1), 1000);
    peer.receives(windowUpdate(1, 1000));
  }

  @ClientScript
  void aServerOfAnotherProtocolIsAConnectionError(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT);
    peer.rawOctets();
    peer.sendsOctets("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
  }

  @ClientScript
  void aFailedConnectionWritesNoNewStream(ScriptedPeer peer) {
    peer.connects();
    peer.sends(windowUpdate(0, 0));
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
    peer.asksForStream(EndStream.NO);
    peer.receivesNothingElse();
  }
}
