package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.headers;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static dev.gannet.http2.connection.WireFrame.trailers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.HeaderLimits;
import dev.gannet.http2.Limits;
import dev.gannet.http2.hpack.HeaderList;

/** What a malformed request costs its client, and what it does not (RFC 9113 §8.1.1). */
final class RequestMessagesTest {
  private static final int MANY = 2000;

  @ServerScript
  void aMalformedRequestIsResetAndNotReported(ScriptedPeer peer) {
    peer.connects();
    peer.sends(headers(1, Fields.requestWith("Upper", "case"), EndStream.YES));
    peer.receives(rstStream(1, ErrorCode.PROTOCOL_ERROR));
    peer.connectionTellsNothingElse();
    assertThat(peer.connection().streamCount()).isZero();
    assertThat(peer.connection().heldSlots()).isZero();
    peer.sends(request(3, EndStream.YES));
    peer.connectionTells(Told.request(3, EndStream.YES));
    peer.receivesNothingElse();
  }

  @ServerScript
  void framesAfterAMalformedRequestAreIgnored(ScriptedPeer peer) {
    peer.connects();
    peer.sends(headers(1, Fields.TRAILERS, EndStream.NO));
    peer.receives(rstStream(1, ErrorCode.PROTOCOL_ERROR));
    peer.sends(data(1, "late", EndStream.NO), trailers(1));
    peer.receivesNothingElse();
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void aMalformedRequestBeyondTheLimitIsRefused(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withMaxConcurrentStreams(1));
    peer.sends(request(1, EndStream.NO), headers(3, Fields.TRAILERS, EndStream.NO));
    peer.receives(rstStream(3, ErrorCode.REFUSED_STREAM));
  }

  @ServerScript
  void aSecondListWithoutTheEndResetsTheStream(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connectionHasTold();
    peer.sends(headers(1, Fields.TRAILERS, EndStream.NO));
    breaks(peer, 1);
  }

  @ServerScript
  void anOversizedSecondListWithoutTheEndResetsTheStream(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withHeaders(HeaderLimits.DEFAULT.withMaxListBytes(300)));
    peer.sends(request(1, EndStream.NO));
    peer.connectionHasTold();
    peer.sends(headers(1, Fields.withValueOf(300), EndStream.NO));
    breaks(peer, 1);
  }

  @ServerScript
  void oversizedTrailersAreReported(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withHeaders(HeaderLimits.DEFAULT.withMaxListBytes(300)));
    peer.sends(request(1, EndStream.NO));
    peer.connectionHasTold();
    peer.sends(headers(1, Fields.withValueOf(300), EndStream.YES));
    peer.connectionTells(new Told.OversizedHeaders(1, EndStream.YES));
    peer.receivesNothingElse();
  }

  @ServerScript
  void malformedTrailersResetTheStream(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connectionHasTold();
    peer.sends(headers(1, Fields.REQUEST, EndStream.YES));
    breaks(peer, 1);
  }

  @ServerScript
  void aResponseInsteadOfARequestIsMalformed(ScriptedPeer peer) {
    peer.connects();
    peer.sends(headers(1, Fields.RESPONSE, EndStream.YES));
    peer.receives(rstStream(1, ErrorCode.PROTOCOL_ERROR));
  }

  @ServerScript
  void contentOfTheDeclaredLengthIsAccepted(ScriptedPeer peer) {
    peer.connects();
    HeaderList list = Fields.requestWith("content-length", "8");
    peer.sends(
        headers(1, list, EndStream.NO),
        data(1, "123", EndStream.NO).paddedBy(20),
        data(1, "45678", EndStream.YES));
    peer.sends(headers(3, list, EndStream.NO), data(3, "12345678", EndStream.NO), trailers(3));
    peer.sends(
        headers(5, Fields.requestWith("content-length", "0"), EndStream.YES),
        headers(7, Fields.requestWith("content-length", "0"), EndStream.NO),
        data(7, "", EndStream.YES));
    peer.connectionTells(
        new Told.Headers(1, list, EndStream.NO),
        new Told.Data(1, "12345678"),
        new Told.EndOfStream(1),
        new Told.Headers(3, list, EndStream.NO),
        new Told.Data(3, "12345678"),
        Told.trailers(3));
    peer.receivesNothingElse();
  }

  @ServerScript
  void moreContentThanDeclaredResetsTheStreamAndIsNotReported(ScriptedPeer peer) {
    peer.connects();
    peer.sends(headers(1, Fields.requestWith("content-length", "0"), EndStream.NO));
    peer.connectionHasTold();
    peer.sends(data(1, "4", EndStream.NO), data(1, "", EndStream.YES));
    breaks(peer, 1);
  }

  @ServerScript
  void lessContentThanDeclaredResetsTheStream(ScriptedPeer peer) {
    peer.connects();
    HeaderList list = Fields.requestWith("content-length", "4");
    peer.sends(headers(1, list, EndStream.NO), headers(3, list, EndStream.NO));
    peer.connectionHasTold();
    peer.sends(data(1, "123", EndStream.YES));
    peer.connectionTells(new Told.Data(1, "123"));
    breaks(peer, 1);
    peer.sends(trailers(3));
    breaks(peer, 3);
  }

  @ServerScript
  void aRequestThatEndsWithoutItsContentIsMalformedAtOnce(ScriptedPeer peer) {
    peer.connects();
    peer.sends(headers(1, Fields.requestWith("content-length", "1"), EndStream.YES));
    peer.receives(rstStream(1, ErrorCode.PROTOCOL_ERROR));
    peer.connectionTellsNothingElse();
    assertThat(peer.connection().heldSlots()).isZero();
  }

  @ServerScript
  void malformedRequestsInALoopEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    for (int streamId = 1; !peer.isOver() && streamId < MANY; streamId += 2) {
      peer.sends(headers(streamId, Fields.TRAILERS, EndStream.YES));
    }
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void emptyNamesInALoopEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    for (int streamId = 1; !peer.isOver() && streamId < MANY; streamId += 2) {
      peer.sends(headers(streamId, Fields.requestWith("", "value"), EndStream.YES));
    }
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
    assertThat(peer.connection().heldSlots()).isZero();
  }

  @ServerScript
  void streamsWhoseWindowsOverflowInALoopEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    for (int streamId = 1; !peer.isOver() && streamId < MANY; streamId += 2) {
      peer.sends(
          request(streamId, EndStream.NO),
          WireFrame.windowUpdate(streamId, WireFrame.LARGEST_WINDOW));
      if (!peer.isOver()) {
        peer.connection().release(peer.stream(streamId));
      }
    }
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void framesAfterAResetThatCrossedOursAreAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connection().reset(peer.stream(1), ErrorCode.NO_ERROR);
    peer.receives(rstStream(1, ErrorCode.NO_ERROR));
    peer.connectionHasTold();
    peer.sends(data(1, "on its way", EndStream.NO), rstStream(1, ErrorCode.CANCEL));
    peer.receivesNothingElse();
    peer.sends(data(1, "behind the reset", EndStream.NO));
    peer.isCutOff(1, ErrorCode.STREAM_CLOSED);
  }

  private static void breaks(ScriptedPeer peer, int streamId) {
    peer.connectionTells(new Told.Broken(streamId, ErrorCode.PROTOCOL_ERROR));
    peer.connectionTellsNothingElse();
    peer.receives(rstStream(streamId, ErrorCode.PROTOCOL_ERROR));
    peer.receivesNothingElse();
    assertThat(peer.stream(streamId).isClosed()).isTrue();
  }
}
