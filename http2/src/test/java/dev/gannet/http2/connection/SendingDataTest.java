package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.INITIAL_WINDOW_SIZE;
import static dev.gannet.http2.connection.WireFrame.LARGEST_WINDOW;
import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static dev.gannet.http2.connection.WireFrame.settings;
import static dev.gannet.http2.connection.WireFrame.settingsAck;
import static dev.gannet.http2.connection.WireFrame.trailers;
import static dev.gannet.http2.connection.WireFrame.windowUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;

/** Windows for what we send, and whose turn it is (RFC 9113 §5.2, §6.9). */
final class SendingDataTest {
  private static final int LONGEST = 16_384;

  @ServerScript
  void noMoreIsSentThanTheStreamsWindowHolds(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 10);
    peer.sends(request(1, EndStream.NO));
    peer.connectionSends(1, "0123456789abcdef", EndStream.YES);
    peer.receives(data(1, "0123456789", EndStream.NO));
    peer.receivesNothingElse();
    assertThat(peer.stream(1).queuedBytes()).isEqualTo(6);
    peer.sends(windowUpdate(1, 4));
    peer.receives(data(1, "abcd", EndStream.NO));
    peer.sends(windowUpdate(1, 4));
    peer.receives(data(1, "ef", EndStream.YES));
    assertThat(peer.stream(1).queuedBytes()).isZero();
    peer.receivesNothingElse();
  }

  @ServerScript
  void noMoreIsSentThanTheConnectionsWindowHolds(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 1 << 20);
    peer.sends(request(1, EndStream.NO));
    peer.connectionSends(1, "d".repeat(70_000), EndStream.YES);
    peer.receives(
        data(1, LONGEST, EndStream.NO),
        data(1, LONGEST, EndStream.NO),
        data(1, LONGEST, EndStream.NO),
        data(1, 65_535 - 3 * LONGEST, EndStream.NO));
    peer.receivesNothingElse();
    peer.sends(windowUpdate(0, 1));
    peer.receives(data(1, 1, EndStream.NO));
    peer.sends(windowUpdate(0, 100_000));
    peer.receives(data(1, 70_000 - 65_536, EndStream.YES));
    peer.receivesNothingElse();
  }

  @ServerScript
  void aTurnCutByTheConnectionsWindowLeavesNoTinyFrame(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 1 << 20);
    peer.sends(request(1, EndStream.NO));
    peer.connectionSends(1, "d".repeat(100_000), EndStream.YES);
    peer.receives(
        data(1, LONGEST, EndStream.NO),
        data(1, LONGEST, EndStream.NO),
        data(1, LONGEST, EndStream.NO),
        data(1, LONGEST - 1, EndStream.NO));
    peer.sends(windowUpdate(0, 100_000));
    peer.receives(
        data(1, LONGEST, EndStream.NO),
        data(1, LONGEST, EndStream.NO),
        data(1, 100_000 - 65_535 - 2 * LONGEST, EndStream.YES));
    peer.receivesNothingElse();
  }

  @ServerScript
  void theInitialWindowDoesNotTouchTheConnectionsWindow(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 0);
    peer.sends(request(1, EndStream.NO));
    peer.connectionSends(1, "text", EndStream.YES);
    peer.receivesNothingElse();
    peer.sends(windowUpdate(1, 100));
    peer.receives(data(1, "text", EndStream.YES));
  }

  @ServerScript
  void headersAndEmptyDataNeedNoWindow(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 0);
    peer.sends(request(1, EndStream.NO), request(3, EndStream.NO));
    peer.connectionSends(1, "", EndStream.YES);
    peer.connectionSendsTrailers(3);
    peer.receives(data(1, "", EndStream.YES), trailers(3));
  }

  @ServerScript
  void trailersDoNotWaitForTheConnectionsWindowOfOthers(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 1 << 20);
    peer.sends(request(1, EndStream.NO), request(3, EndStream.NO), request(5, EndStream.NO));
    peer.connectionSends(1, "d".repeat(70_000), EndStream.YES);
    peer.rawFrames();
    peer.connectionSendsTrailers(3);
    peer.connectionSends(5, "", EndStream.YES);
    peer.receives(trailers(3), data(5, "", EndStream.YES));
  }

  @ServerScript
  void trailersWaitForTheDataBeforeThem(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 3);
    peer.sends(request(1, EndStream.NO));
    peer.connectionSends(1, "12345", EndStream.NO);
    peer.connectionSendsTrailers(1);
    peer.receives(data(1, "123", EndStream.NO));
    peer.receivesNothingElse();
    peer.sends(windowUpdate(1, 2));
    peer.receives(data(1, "45", EndStream.NO), trailers(1));
    peer.receivesNothingElse();
  }

  @ServerScript
  void raisingTheInitialWindowWidensLivingStreams(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 2);
    peer.sends(request(1, EndStream.NO));
    peer.connectionSends(1, "12345", EndStream.YES);
    peer.receives(data(1, "12", EndStream.NO));
    peer.sends(settings(INITIAL_WINDOW_SIZE, 4));
    peer.receives(settingsAck(), data(1, "34", EndStream.NO));
    peer.receivesNothingElse();
  }

  @ServerScript
  void loweringTheInitialWindowMakesWindowsNegative(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 10);
    peer.sends(request(1, EndStream.NO));
    peer.connectionSends(1, "0123456789abc", EndStream.YES);
    peer.receives(data(1, "0123456789", EndStream.NO));
    peer.sends(settings(INITIAL_WINDOW_SIZE, 0));
    peer.receives(settingsAck());
    peer.sends(windowUpdate(1, 10));
    peer.receivesNothingElse();
    peer.sends(windowUpdate(1, 1));
    peer.receives(data(1, "a", EndStream.NO));
    peer.sends(settings(INITIAL_WINDOW_SIZE, 10));
    peer.receives(settingsAck(), data(1, "bc", EndStream.YES));
    peer.receivesNothingElse();
  }

  @ServerScript
  void aStreamsWindowMayReachTheLargestValue(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO), windowUpdate(1, LARGEST_WINDOW - 65_535));
    peer.sends(windowUpdate(0, LARGEST_WINDOW - 65_535));
    peer.receivesNothingElse();
    peer.connectionSends(1, "still works", EndStream.YES);
    peer.receives(data(1, "still works", EndStream.YES));
  }

  @ServerScript
  void aStreamsWindowPastTheLargestValueResetsTheStream(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO), windowUpdate(1, LARGEST_WINDOW - 65_535));
    peer.connectionHasTold();
    peer.sends(windowUpdate(1, 1));
    peer.receives(rstStream(1, ErrorCode.FLOW_CONTROL_ERROR));
    peer.connectionTells(new Told.Broken(1, ErrorCode.FLOW_CONTROL_ERROR));
    peer.sends(windowUpdate(1, 1), data(1, "late", EndStream.YES));
    peer.receivesNothingElse();
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void theConnectionsWindowPastTheLargestValueIsAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.sends(windowUpdate(0, LARGEST_WINDOW));
    peer.isCutOff(0, ErrorCode.FLOW_CONTROL_ERROR);
  }

  @ServerScript
  void anInitialWindowThatOverflowsAStreamIsAConnectionErrorAndNotAcknowledged(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO), request(3, EndStream.NO), windowUpdate(1, 1));
    peer.connectionHasTold();
    peer.sends(settings(INITIAL_WINDOW_SIZE, LARGEST_WINDOW));
    peer.isCutOff(3, ErrorCode.FLOW_CONTROL_ERROR);
  }

  @ServerScript
  void theReservedBitOfAnIncrementIsIgnored(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 0);
    peer.sends(request(1, EndStream.NO), windowUpdate(1, Integer.MIN_VALUE | 2));
    peer.connectionSends(1, "123", EndStream.YES);
    peer.receives(data(1, "12", EndStream.NO));
    peer.receivesNothingElse();
  }

  @ServerScript
  void streamsTakeTurnsFrameByFrame(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO), request(3, EndStream.NO), request(5, EndStream.NO));
    peer.connectionSends(1, "d".repeat(2 * LONGEST), EndStream.YES);
    peer.connectionSends(3, "d".repeat(LONGEST + 1), EndStream.YES);
    peer.connectionSends(5, "short", EndStream.YES);
    peer.receives(
        data(1, LONGEST, EndStream.NO),
        data(3, LONGEST, EndStream.NO),
        data(5, "short", EndStream.YES),
        data(1, LONGEST, EndStream.YES),
        data(3, 1, EndStream.YES));
    peer.receivesNothingElse();
  }

  @ServerScript
  void aStreamWithoutWindowDoesNotStopTheOthers(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 3);
    peer.sends(request(1, EndStream.NO), request(3, EndStream.NO));
    peer.connectionSends(1, "stuck", EndStream.YES);
    peer.connectionSends(3, "ok", EndStream.YES);
    peer.receives(data(1, "stu", EndStream.NO), data(3, "ok", EndStream.YES));
    peer.receivesNothingElse();
  }

  @ServerScript
  void messagesQueuedTogetherAreSentInOneFrame(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connectionHasTold();
    peer.connectionSends(1, "one,", EndStream.NO);
    peer.connectionSends(1, "two,", EndStream.NO);
    peer.connectionSends(1, "", EndStream.NO);
    peer.connectionSends(1, "three", EndStream.YES);
    peer.receives(data(1, "one,two,three", EndStream.YES));
    peer.connectionTells(new Told.DataSent(1, 13), new Told.EndSent(1));
    peer.receivesNothingElse();
  }

  @ServerScript
  void emptyDataIsSentOnlyToEndAStream(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connectionSends(1, "", EndStream.NO);
    peer.receivesNothingElse();
    peer.connectionSends(1, "", EndStream.YES);
    peer.receives(data(1, "", EndStream.YES));
    peer.receivesNothingElse();
  }

  @ServerScript
  void nothingMoreIsWrittenToAFullSink(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connectionSends(1, "d".repeat(3 * LONGEST), EndStream.YES);
    peer.sink().wants(1);
    peer.receives(data(1, LONGEST, EndStream.NO));
    peer.receivesNothingElse();
    peer.sink().wants(9);
    peer.receives(data(1, LONGEST, EndStream.NO), data(1, LONGEST, EndStream.YES));
    peer.receivesNothingElse();
  }

  @ServerScript
  void controlFramesAndHeadersAreWrittenToAFullSink(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connectionSends(1, "waits", EndStream.NO);
    peer.sink().wants(0);
    peer.sends(WireFrame.ping(4), request(3, EndStream.NO));
    peer.connectionResponds(3, EndStream.YES);
    peer.receives(WireFrame.pingAck(4), WireFrame.response(3, EndStream.YES));
    peer.receivesNothingElse();
  }

  @ServerScript
  void aResetStreamSendsNoneOfWhatItQueued(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 2);
    peer.sends(request(1, EndStream.NO));
    peer.connectionSends(1, "12345", EndStream.NO);
    peer.connectionSendsTrailers(1);
    peer.receives(data(1, "12", EndStream.NO));
    peer.sends(rstStream(1, ErrorCode.CANCEL), windowUpdate(1, 100));
    peer.receivesNothingElse();
    assertThat(peer.stream(1).queuedBytes()).isZero();
  }

  @ServerScript
  void streamsShareTheConnectionsWindowByBytesAndNotByFrames(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 1 << 20);
    peer.sends(request(1, EndStream.NO), request(3, EndStream.NO));
    peer.connectionSends(1, "d".repeat(500_000), EndStream.NO);
    peer.connectionSends(3, "d".repeat(500_000), EndStream.NO);
    for (int i = 0; i < 40; i++) {
      peer.sends(windowUpdate(0, i % 2 == 0 ? LONGEST : 10));
    }
    long first = peer.stream(1).queuedBytes();
    long second = peer.stream(3).queuedBytes();
    assertThat(first - second).isBetween((long) -LONGEST, (long) LONGEST);
  }

  @ServerScript
  void aTurnCutByTheConnectionsWindowContinuesFirst(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 1 << 20);
    peer.sends(request(1, EndStream.NO), request(3, EndStream.NO));
    peer.connectionSends(1, "d".repeat(3 * LONGEST), EndStream.NO);
    peer.connectionSends(3, "d".repeat(3 * LONGEST), EndStream.NO);
    peer.rawFrames(); // 65,535 bytes: two turns each but for a byte of the second's second
    peer.sends(windowUpdate(0, LONGEST - 2000));
    peer.receives(data(1, LONGEST - 2000, EndStream.NO));
    peer.sends(windowUpdate(0, LONGEST));
    peer.receives(data(1, 2000, EndStream.NO), data(3, LONGEST - 2000, EndStream.NO));
  }

  @ServerScript
  void queuedBytesAreCountedForTheConnection(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 10);
    peer.sends(request(1, EndStream.NO), request(3, EndStream.NO));
    peer.connectionSends(1, "d".repeat(30), EndStream.NO);
    peer.connectionSends(3, "d".repeat(15), EndStream.NO);
    assertThat(peer.connection().queuedBytes()).isEqualTo(45);
    peer.receives(data(1, 10, EndStream.NO), data(3, 10, EndStream.NO));
    assertThat(peer.connection().queuedBytes()).isEqualTo(25);
    peer.sends(rstStream(1, ErrorCode.CANCEL));
    assertThat(peer.connection().queuedBytes()).isEqualTo(5);
    peer.sends(windowUpdate(3, 5));
    peer.receives(data(3, 5, EndStream.NO));
    assertThat(peer.connection().queuedBytes()).isZero();
  }
}
