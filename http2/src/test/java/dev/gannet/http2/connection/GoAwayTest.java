package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.goAway;
import static dev.gannet.http2.connection.WireFrame.ping;
import static dev.gannet.http2.connection.WireFrame.pingAck;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.response;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static dev.gannet.http2.connection.WireFrame.windowUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The graceful end and what it does to streams (RFC 9113 §6.8). */
final class GoAwayTest {
  private static final int LAST_DEBUG_BYTE = 8 + 5_000;
  private static final int MANY = 2_000;

  @ServerScript
  void aServerEndsGracefullyInTwoSteps(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connection().announceGoAway("restart");
    peer.receives(goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR));
    peer.sends(request(3, EndStream.NO));
    peer.connection().goAway(ErrorCode.NO_ERROR, "restart");
    peer.receives(goAway(3, ErrorCode.NO_ERROR));
    peer.connectionTells(Told.request(1, EndStream.NO), Told.request(3, EndStream.NO));
    peer.sends(request(5, EndStream.NO));
    peer.receives(rstStream(5, ErrorCode.REFUSED_STREAM));
    peer.sends(data(3, "served", EndStream.YES), ping(1));
    peer.connectionTells(new Told.Data(3, "served"), new Told.EndOfStream(3));
    peer.receives(pingAck(1));
    peer.connectionResponds(3, EndStream.YES);
    peer.receives(response(3, EndStream.YES));
    peer.receivesNothingElse();
  }

  /** They may be on their way while the GOAWAY is. */
  @ServerScript
  void streamsAfterTheGoAwayAreRefusedAndAreNoOffence(ScriptedPeer peer) {
    peer.connects();
    peer.connection().goAway(ErrorCode.NO_ERROR, "restart");
    for (int streamId = 1; streamId < 2 * MANY; streamId += 2) {
      peer.sends(request(streamId, EndStream.YES));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void goAwayContainsTheDebugText(ScriptedPeer peer) {
    peer.connects().rawFrames();
    peer.connection().goAway(ErrorCode.ENHANCE_YOUR_CALM, "too_many_pings");
    byte[] payload = peer.rawFrames().getFirst().payloadOctets();
    assertThat(new String(payload, 8, payload.length - 8, StandardCharsets.UTF_8))
        .isEqualTo("too_many_pings");
  }

  @ServerScript
  void theLastStreamIdNeverGrows(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connectionHasTold();
    peer.connection().goAway(ErrorCode.NO_ERROR, "first");
    peer.sends(request(3, EndStream.NO));
    peer.receives(goAway(1, ErrorCode.NO_ERROR), rstStream(3, ErrorCode.REFUSED_STREAM));
    peer.connection().goAway(ErrorCode.NO_ERROR, "second");
    peer.receives(goAway(1, ErrorCode.NO_ERROR));
  }

  @ServerScript
  void theLastStreamIdDoesNotGrowByAFailureEither(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connectionHasTold();
    peer.connection().goAway(ErrorCode.NO_ERROR, "first");
    peer.sends(request(3, EndStream.NO));
    peer.receives(goAway(1, ErrorCode.NO_ERROR), rstStream(3, ErrorCode.REFUSED_STREAM));
    peer.sends(windowUpdate(0, 0));
    peer.isCutOff(1, ErrorCode.PROTOCOL_ERROR);
  }

  @ServerScript
  void anAnnouncementAfterTheGoAwayHasNoEffect(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connection().goAway(ErrorCode.NO_ERROR, "first");
    peer.receives(goAway(1, ErrorCode.NO_ERROR));
    peer.connection().announceGoAway("late");
    assertThat(peer.rawFrames())
        .filteredOn(frame -> frame.type() == WireFrame.GOAWAY)
        .allSatisfy(frame -> assertThat(frame.intAt(0)).isLessThanOrEqualTo(1));
  }

  @ClientScript
  void streamsAboveTheLastOneWereNotProcessed(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.NO);
    peer.asksForStream(EndStream.NO);
    peer.asksForStream(EndStream.YES);
    peer.receives(request(1, EndStream.NO), request(3, EndStream.NO), request(5, EndStream.YES));
    peer.connectionHasTold();
    peer.sends(goAway(1, ErrorCode.NO_ERROR));
    assertThat(peer.stream(1).isClosed()).isFalse();
    assertThat(peer.stream(3).isClosed()).isTrue();
    assertThat(peer.stream(5).isClosed()).isTrue();
    assertThat(peer.connection().streamCount()).isEqualTo(1);
    peer.sends(response(1, EndStream.NO), data(1, "served", EndStream.YES));
    peer.receivesNothingElse();
  }

  @ClientScript
  void unprocessedStreamsAreReportedAfterTheGoAway(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.NO);
    peer.asksForStream(EndStream.NO);
    peer.connectionHasTold();
    peer.sends(goAway(1, ErrorCode.ENHANCE_YOUR_CALM));
    peer.connectionTells(
        new Told.GoAway(1, ErrorCode.ENHANCE_YOUR_CALM, ""), new Told.Unprocessed(3));
    peer.sends(goAway(0, ErrorCode.NO_ERROR));
    peer.connectionTells(new Told.GoAway(0, ErrorCode.NO_ERROR, ""), new Told.Unprocessed(1));
    peer.connectionTellsNothingElse();
  }

  @ClientScript
  void anAnnouncementEndsNoStream(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.NO);
    peer.sends(goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR));
    peer.connectionTells(new Told.GoAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR, ""));
    assertThat(peer.stream(1).isClosed()).isFalse();
    peer.connectionTellsNothingElse();
  }

  @ClientScript
  void noStreamIsOpenedAfterAGoAway(ScriptedPeer peer) {
    peer.connects();
    assertThat(peer.connection().canOpenStream()).isTrue();
    peer.sends(goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR));
    assertThat(peer.connection().canOpenStream()).isFalse();
  }

  @ClientScript
  void nothingOfAnUnprocessedStreamIsSent(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.NO);
    peer.receives(request(1, EndStream.NO));
    peer.sink().wants(0);
    peer.connectionSends(1, "waits", EndStream.YES);
    peer.sends(goAway(0, ErrorCode.NO_ERROR));
    peer.sink().wants(10);
    peer.receivesNothingElse();
  }

  @ClientScript
  void aReceivedDebugTextIsCutToItsMaximumLength(ScriptedPeer peer) {
    peer.connects();
    byte[] payload = new byte[LAST_DEBUG_BYTE];
    Arrays.fill(payload, 8, payload.length, (byte) 'x');
    peer.sends(WireFrame.raw(WireFrame.GOAWAY, 0, 0, payload));
    peer.connectionTells(new Told.GoAway(0, ErrorCode.NO_ERROR, "x".repeat(256)));
  }

  @ClientScript
  void unknownErrorCodesCountAsInternalErrors(ScriptedPeer peer) {
    peer.connects();
    byte[] payload = {0, 0, 0, 0, (byte) 0xff, 0, 0, 1};
    peer.sends(WireFrame.raw(WireFrame.GOAWAY, 0, 0, payload));
    peer.connectionTells(new Told.GoAway(0, ErrorCode.INTERNAL_ERROR, ""));
  }

  @ClientScript
  void theReservedBitOfTheLastStreamIdIsIgnored(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.NO);
    peer.sends(goAway(Integer.MIN_VALUE | 1, ErrorCode.NO_ERROR));
    peer.connectionTells(new Told.GoAway(1, ErrorCode.NO_ERROR, ""));
    assertThat(peer.stream(1).isClosed()).isFalse();
  }

  @ServerScript
  void aGoAwayOfAClientEndsNoneOfItsStreams(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO), goAway(0, ErrorCode.NO_ERROR));
    peer.connectionTells(Told.request(1, EndStream.NO), new Told.GoAway(0, ErrorCode.NO_ERROR, ""));
    peer.connectionResponds(1, EndStream.YES);
    peer.receives(response(1, EndStream.YES));
  }
}
