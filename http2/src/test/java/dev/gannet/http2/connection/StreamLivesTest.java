package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.ping;
import static dev.gannet.http2.connection.WireFrame.pingAck;
import static dev.gannet.http2.connection.WireFrame.priority;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.response;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static dev.gannet.http2.connection.WireFrame.trailers;
import static dev.gannet.http2.connection.WireFrame.windowUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import java.util.ArrayList;

/** Lives of streams as a server sees them (RFC 9113 §5.1, §8.1). */
final class StreamLivesTest {
  @ServerScript
  void aRequestIsServed(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO), data(1, "question", EndStream.YES));
    peer.connectionTells(
        Told.request(1, EndStream.NO), new Told.Data(1, "question"), new Told.EndOfStream(1));
    peer.connectionResponds(1, EndStream.NO);
    peer.connectionSends(1, "answer", EndStream.NO);
    peer.connectionSendsTrailers(1);
    peer.receives(response(1, EndStream.NO), data(1, "answer", EndStream.NO), trailers(1));
    peer.connectionTells(new Told.DataSent(1, 6), new Told.EndSent(1));
    assertThat(peer.stream(1).isClosed()).isTrue();
    assertThat(peer.connection().streamCount()).isZero();
    peer.receivesNothingElse();
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void theServerMayEndFirst(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connectionResponds(1, EndStream.NO);
    peer.connectionSends(1, "", EndStream.YES);
    peer.receives(response(1, EndStream.NO), data(1, "", EndStream.YES));
    peer.sends(data(1, "more", EndStream.NO), trailers(1));
    peer.connectionTells(
        Told.request(1, EndStream.NO),
        new Told.EndSent(1),
        new Told.Data(1, "more"),
        Told.trailers(1));
    assertThat(peer.connection().streamCount()).isZero();
  }

  @ServerScript
  void aResponseMayConsistOfHeadersOnly(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.YES));
    peer.connectionResponds(1, EndStream.YES);
    peer.receives(response(1, EndStream.YES));
    peer.connectionTells(Told.request(1, EndStream.YES), new Told.EndSent(1));
    assertThat(peer.connection().streamCount()).isZero();
  }

  @ServerScript
  void streamsLiveSideBySide(ScriptedPeer peer) {
    peer.connects();
    peer.sends(
        request(1, EndStream.NO),
        request(3, EndStream.NO),
        data(1, "a", EndStream.NO),
        data(3, "b", EndStream.YES),
        data(1, "c", EndStream.YES));
    peer.connectionTells(
        Told.request(1, EndStream.NO),
        Told.request(3, EndStream.NO),
        new Told.Data(1, "a"),
        new Told.Data(3, "b"),
        new Told.EndOfStream(3),
        new Told.Data(1, "c"),
        new Told.EndOfStream(1));
    assertThat(peer.connection().streamCount()).isEqualTo(2);
  }

  @ServerScript
  void streamIdsMayBeSkipped(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(7, EndStream.YES), request(Integer.MAX_VALUE, EndStream.YES));
    peer.connectionTells(
        Told.request(7, EndStream.YES), Told.request(Integer.MAX_VALUE, EndStream.YES));
  }

  @ServerScript
  void theReservedBitOfAStreamIdIsIgnored(ScriptedPeer peer) {
    peer.connects();
    peer.sends(WireFrame.headers(1 | Integer.MIN_VALUE, Fields.REQUEST, EndStream.NO));
    peer.sends(data(1 | Integer.MIN_VALUE, "x", EndStream.YES));
    peer.connectionTells(
        Told.request(1, EndStream.NO), new Told.Data(1, "x"), new Told.EndOfStream(1));
  }

  @ServerScript
  void dataAfterTheEndIsAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.YES));
    peer.connectionHasTold();
    peer.sends(data(1, "late", EndStream.NO));
    peer.isCutOff(1, ErrorCode.STREAM_CLOSED);
  }

  @ServerScript
  void headersAfterTheEndAreAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO), data(1, "", EndStream.YES));
    peer.connectionHasTold();
    peer.sends(trailers(1));
    peer.isCutOff(1, ErrorCode.STREAM_CLOSED);
  }

  @ServerScript
  void dataOnAStreamThatBothSidesEndedIsAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.YES));
    peer.connectionResponds(1, EndStream.YES);
    peer.receives(response(1, EndStream.YES));
    peer.connectionHasTold();
    peer.sends(data(1, "late", EndStream.NO));
    peer.isCutOff(1, ErrorCode.STREAM_CLOSED);
  }

  @ServerScript
  void headersOnAStreamThatBothSidesEndedAreAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.YES));
    peer.connectionResponds(1, EndStream.YES);
    peer.receives(response(1, EndStream.YES));
    peer.connectionHasTold();
    peer.sends(request(1, EndStream.NO));
    peer.isCutOff(1, ErrorCode.STREAM_CLOSED);
  }

  @ServerScript
  void framesThatCrossTheEndAreNoOffence(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.YES));
    peer.connectionResponds(1, EndStream.YES);
    peer.receives(response(1, EndStream.YES));
    peer.connectionHasTold();
    peer.sends(
        windowUpdate(1, 100), rstStream(1, ErrorCode.CANCEL), priority(1), windowUpdate(1, 1));
    peer.receivesNothingElse();
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void aSkippedStreamIdCannotBeUsedLater(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(5, EndStream.NO));
    peer.connectionHasTold();
    peer.sends(request(3, EndStream.NO));
    peer.isCutOff(5, ErrorCode.PROTOCOL_ERROR);
  }

  @ServerScript
  void anEvenStreamIdFromAClientIsAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connectionHasTold();
    peer.sends(request(2, EndStream.NO));
    peer.isCutOff(1, ErrorCode.PROTOCOL_ERROR);
  }

  @ServerScript
  void priorityChangesNothingOnAnyStream(ScriptedPeer peer) {
    peer.connects();
    peer.sends(priority(1), priority(8), request(1, EndStream.NO), priority(1), ping(1));
    peer.connectionTells(Told.request(1, EndStream.NO));
    peer.receives(pingAck(1));
    peer.receivesNothingElse();
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void nothingIsSentAfterTheOwnEnd(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connectionResponds(1, EndStream.YES);
    peer.connectionResponds(1, EndStream.NO);
    peer.connectionSends(1, "late", EndStream.NO);
    peer.connectionSendsTrailers(1);
    peer.receives(response(1, EndStream.YES));
    peer.receivesNothingElse();
  }

  @ServerScript
  void aStreamKeepsWhatItsDriverAttached(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO), request(3, EndStream.NO));
    peer.stream(1).attach("call 1");
    assertThat(peer.stream(1).attachment()).isEqualTo("call 1");
    assertThat(peer.stream(3).attachment()).isNotEqualTo("call 1");
    var shown = new ArrayList<Integer>();
    peer.connection().forEachStream(stream -> shown.add(stream.id()));
    assertThat(shown).containsExactlyInAnyOrder(1, 3);
    assertThat(peer.stream(1)).asString().contains("1").contains("OPEN");
  }
}
