package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.INITIAL_WINDOW_SIZE;
import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.response;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static dev.gannet.http2.connection.WireFrame.trailers;
import static dev.gannet.http2.connection.WireFrame.windowUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.hpack.HeaderList;

/** A stream that this side ends with a header list although data of it still waits. */
final class EndingAtOnceTest {
  private static final int MANY = 3_000; // frames without effect; 1,000 are borne at once

  private static boolean endNow(ScriptedPeer peer, int streamId) {
    return peer.connection().endNow(peer.stream(streamId), Fields.TRAILERS, HeaderList.EMPTY);
  }

  @ServerScript
  void aStreamMayEndWithItsFirstList(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.YES));
    assertThat(endNow(peer, 1)).isTrue();
    peer.receives(trailers(1));
    assertThat(peer.connection().streamCount()).isZero();
    peer.connectionTells(Told.request(1, EndStream.YES), new Told.EndSent(1));
  }

  @ServerScript
  void buffersOfWhichNothingWasWrittenAreDropped(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 5);
    peer.sends(request(1, EndStream.NO));
    peer.connectionResponds(1, EndStream.NO);
    peer.connectionSends(1, "first", EndStream.NO);
    peer.connectionSends(1, "second", EndStream.NO);
    peer.connectionSendsTrailers(1);
    peer.receives(response(1, EndStream.NO), data(1, "first", EndStream.NO));
    assertThat(endNow(peer, 1)).isTrue();
    peer.receives(trailers(1));
    assertThat(peer.connection().queuedBytes()).isZero();
    peer.sends(windowUpdate(1, 100));
    peer.receivesNothingElse();
  }

  @ServerScript
  void aBufferThatIsHalfWrittenKeepsTheStreamOpen(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 6);
    peer.sends(request(1, EndStream.NO));
    peer.connectionResponds(1, EndStream.NO);
    peer.connectionSends(1, "first", EndStream.NO);
    peer.connectionSends(1, "second", EndStream.NO);
    peer.receives(response(1, EndStream.NO), data(1, "firsts", EndStream.NO));
    assertThat(endNow(peer, 1)).isFalse();
    peer.receivesNothingElse();
    peer.sends(windowUpdate(1, 5));
    peer.receives(data(1, "econd", EndStream.NO));
    assertThat(endNow(peer, 1)).isTrue();
    peer.receives(trailers(1));
    peer.receivesNothingElse();
  }

  /** What is left of a long buffer is copied while it waits. */
  @ServerScript
  void theCopiedRestOfABufferIsStillHalfABuffer(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 90);
    peer.sends(request(1, EndStream.NO));
    peer.connectionResponds(1, EndStream.NO);
    peer.connectionSends(1, "d".repeat(100), EndStream.NO);
    peer.receives(response(1, EndStream.NO), data(1, 90, EndStream.NO));
    assertThat(endNow(peer, 1)).isFalse();
  }

  @ServerScript
  void itWaitsNeitherForTheConnectionsWindowNorForTheWire(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 1 << 20);
    peer.sends(request(1, EndStream.YES), request(3, EndStream.YES));
    peer.connectionSends(1, "d".repeat(65_535), EndStream.NO);
    peer.connectionResponds(3, EndStream.NO);
    peer.connectionSends(3, "waits", EndStream.NO);
    peer.rawFrames();
    peer.sink().wants(0);
    assertThat(endNow(peer, 3)).isTrue();
    peer.receives(trailers(3));
  }

  @ServerScript
  void aStreamThatIsOverEndsNotAgain(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO), rstStream(1, ErrorCode.CANCEL));
    assertThat(endNow(peer, 1)).isFalse();
    peer.sends(request(3, EndStream.NO));
    assertThat(endNow(peer, 3)).isTrue();
    assertThat(endNow(peer, 3)).isFalse();
    peer.receives(trailers(3));
    peer.receivesNothingElse();
  }

  @ServerScript
  void resetsThatCrossAnImmediateEndAreNoOffence(ScriptedPeer peer) {
    peer.connects();
    for (int i = 0; i < MANY && !peer.isOver(); i++) {
      int id = 2 * i + 1;
      peer.sends(request(id, EndStream.YES));
      assertThat(endNow(peer, id)).isTrue();
      peer.sends(rstStream(id, ErrorCode.CANCEL));
      peer.connection().release(peer.stream(id));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void repeatedResetsOfTheSameStreamEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.YES));
    assertThat(endNow(peer, 1)).isTrue();
    for (int i = 0; i < MANY && !peer.isOver(); i++) {
      peer.sends(rstStream(1, ErrorCode.CANCEL));
    }
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }
}
