package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.headers;
import static dev.gannet.http2.connection.WireFrame.response;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static dev.gannet.http2.connection.WireFrame.trailers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.hpack.HeaderList;

/** Which responses a client takes for well-formed (RFC 9113 §8.1, §8.1.1). */
final class ResponseMessagesTest {
  private static final HeaderList INTERIM = Fields.of(":status", "103", "link", "x");
  private static final int MAX_INTERIMS = 8;
  private static final int MANY = 2000;

  @ClientScript
  void interimResponsesAreIgnored(ScriptedPeer peer) {
    asks(peer);
    for (int i = 0; i < MAX_INTERIMS; i++) {
      peer.sends(headers(1, INTERIM, EndStream.NO));
    }
    peer.connectionTellsNothingElse();
    peer.sends(response(1, EndStream.NO), data(1, "answer", EndStream.NO), trailers(1));
    peer.connectionTells(
        Told.response(1, EndStream.NO), new Told.Data(1, "answer"), Told.trailers(1));
    peer.receivesNothingElse();
  }

  @ClientScript
  void endlessInterimResponsesResetTheStream(ScriptedPeer peer) {
    asks(peer);
    for (int i = 0; i <= MAX_INTERIMS; i++) {
      peer.sends(headers(1, INTERIM, EndStream.NO));
    }
    breaks(peer);
  }

  @ClientScript
  void anInterimResponseIsNotTheEnd(ScriptedPeer peer) {
    asks(peer);
    peer.sends(headers(1, INTERIM, EndStream.YES));
    breaks(peer);
  }

  @ClientScript
  void anInterimResponseAfterTheHeadResetsTheStream(ScriptedPeer peer) {
    asks(peer);
    peer.sends(response(1, EndStream.NO));
    peer.connectionHasTold();
    peer.sends(headers(1, INTERIM, EndStream.NO));
    breaks(peer);
  }

  @ClientScript
  void dataBeforeTheHeadResetsTheStream(ScriptedPeer peer) {
    asks(peer);
    peer.sends(data(1, "early", EndStream.NO));
    breaks(peer);
  }

  @ClientScript
  void anEmptyEndBeforeTheHeadResetsTheStream(ScriptedPeer peer) {
    asks(peer);
    peer.sends(headers(1, INTERIM, EndStream.NO), data(1, "", EndStream.YES));
    breaks(peer);
  }

  @ClientScript
  void aRequestInsteadOfAResponseIsMalformed(ScriptedPeer peer) {
    asks(peer);
    peer.sends(headers(1, Fields.REQUEST, EndStream.NO));
    breaks(peer);
  }

  @ClientScript
  void trailersWithoutAHeadAreMalformed(ScriptedPeer peer) {
    asks(peer);
    peer.sends(trailers(1));
    breaks(peer);
  }

  @ClientScript
  void aSecondHeadResetsTheStream(ScriptedPeer peer) {
    asks(peer);
    peer.sends(response(1, EndStream.NO));
    peer.connectionHasTold();
    peer.sends(response(1, EndStream.YES));
    breaks(peer);
  }

  @ClientScript
  void aMalformedResponseToACompleteRequestStillResetsTheStream(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.YES);
    peer.rawFrames();
    peer.connectionHasTold();
    peer.sends(headers(1, Fields.responseWith("connection", "close"), EndStream.YES));
    breaks(peer);
  }

  @ClientScript
  void otherContentThanDeclaredResetsTheStream(ScriptedPeer peer) {
    asks(peer);
    HeaderList list = Fields.responseWith("content-length", "3");
    peer.sends(headers(1, list, EndStream.NO));
    peer.connectionHasTold();
    peer.sends(data(1, "1", EndStream.NO), trailers(1));
    peer.connectionTells(new Told.Data(1, "1"));
    breaks(peer);
  }

  @ClientScript
  void aResponseToHeadMayHaveAContentLengthWithoutContent(ScriptedPeer peer) {
    peer.connects();
    HeaderList head = Fields.of(":method", "HEAD", ":scheme", "http", ":path", "/");
    HeaderList list = Fields.responseWith("content-length", "3");
    peer.connection().openStream(head, HeaderList.EMPTY, EndStream.YES);
    peer.connection().openStream(HeaderList.EMPTY, head, EndStream.YES);
    peer.connectionHasTold();
    peer.rawFrames();
    peer.sends(headers(1, list, EndStream.YES), headers(3, list, EndStream.YES));
    peer.connectionTells(
        new Told.Headers(1, list, EndStream.YES), new Told.Headers(3, list, EndStream.YES));
    peer.receivesNothingElse();
  }

  @ClientScript
  void aRequestWithoutAMethodDoesNotCountAsHead(ScriptedPeer peer) {
    peer.connects();
    peer.connection().openStream(Fields.TRAILERS, HeaderList.EMPTY, EndStream.YES);
    peer.rawFrames();
    peer.connectionHasTold();
    peer.sends(headers(1, Fields.responseWith("content-length", "3"), EndStream.YES));
    peer.receives(rstStream(1, ErrorCode.PROTOCOL_ERROR));
  }

  @ClientScript
  void responses204And304MayHaveAContentLength(ScriptedPeer peer) {
    peer.connects();
    int streamId = 1;
    for (String status : new String[] {"204", "304"}) {
      peer.asksForStream(EndStream.YES);
      peer.rawFrames();
      peer.connectionHasTold();
      HeaderList list = Fields.of(":status", status, "content-length", "3");
      peer.sends(
          headers(streamId, Fields.of(":status", "100", "content-length", "9"), EndStream.NO),
          headers(streamId, list, EndStream.YES));
      peer.connectionTells(new Told.Headers(streamId, list, EndStream.YES));
      peer.receivesNothingElse();
      streamId += 2;
    }
  }

  @ClientScript
  void malformedResponsesInALoopEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    for (int streamId = 1; !peer.isOver() && streamId < MANY; streamId += 2) {
      Http2Stream stream =
          peer.connection().openStream(Fields.TRAILERS, HeaderList.EMPTY, EndStream.NO);
      peer.sends(trailers(stream.id()));
    }
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  private static void asks(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.NO);
    peer.rawFrames();
    peer.connectionHasTold();
  }

  private static void breaks(ScriptedPeer peer) {
    peer.connectionTells(new Told.Broken(1, ErrorCode.PROTOCOL_ERROR));
    peer.connectionTellsNothingElse();
    peer.receives(rstStream(1, ErrorCode.PROTOCOL_ERROR));
    peer.receivesNothingElse();
    assertThat(peer.connection().streamCount()).isZero();
  }
}
