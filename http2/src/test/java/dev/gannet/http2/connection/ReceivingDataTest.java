package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static dev.gannet.http2.connection.WireFrame.settings;
import static dev.gannet.http2.connection.WireFrame.settingsAck;
import static dev.gannet.http2.connection.WireFrame.windowUpdate;

import dev.gannet.http2.AbuseLimits;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.HeaderLimits;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.WorkLimits;

/** Windows for what the peer sends, and padding in them (RFC 9113 §6.1, §6.9). */
final class ReceivingDataTest {
  private static final Limits SMALL_STREAMS =
      Limits.DEFAULT.withWindows(WindowLimits.fixed(1000, 1 << 20));
  private static final Limits LARGE_FRAMES =
      new Limits(
          1 << 20,
          100,
          Limits.DEFAULT.streamsPerConnection(),
          new HeaderLimits(8192, 128, 8, 4096),
          WindowLimits.fixed(200_000, 65_535),
          WorkLimits.DEFAULT,
          AbuseLimits.DEFAULT,
          Timeouts.DEFAULT);

  @ServerScript
  void aStreamsWindowMayBeFilledToTheLastByte(ScriptedPeer peer) {
    peer.connects(SMALL_STREAMS);
    peer.sends(request(1, EndStream.NO), data(1, 600, EndStream.NO), data(1, 400, EndStream.YES));
    peer.connectionTells(
        Told.request(1, EndStream.NO), new Told.Data(1, "d".repeat(1000)), new Told.EndOfStream(1));
    peer.receivesNothingElse();
  }

  @ServerScript
  void aByteBeyondAStreamsWindowResetsTheStream(ScriptedPeer peer) {
    peer.connects(SMALL_STREAMS);
    peer.sends(request(1, EndStream.NO), data(1, 1000, EndStream.NO));
    peer.connectionHasTold();
    peer.sends(data(1, 1, EndStream.NO));
    peer.receives(rstStream(1, ErrorCode.FLOW_CONTROL_ERROR));
    peer.connectionTells(new Told.Broken(1, ErrorCode.FLOW_CONTROL_ERROR));
    peer.sends(data(1, 5, EndStream.NO), request(3, EndStream.YES));
    peer.connectionTells(Told.request(3, EndStream.YES));
    peer.receivesNothingElse();
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void dataBeyondTheWindowIsNotDelivered(ScriptedPeer peer) {
    peer.connects(SMALL_STREAMS);
    peer.sends(request(1, EndStream.NO));
    peer.connectionHasTold();
    peer.sends(data(1, 1001, EndStream.YES));
    peer.receives(rstStream(1, ErrorCode.FLOW_CONTROL_ERROR));
    peer.connectionTells(new Told.Broken(1, ErrorCode.FLOW_CONTROL_ERROR));
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void consumedBytesAreGivenBackInHalfWindows(ScriptedPeer peer) {
    peer.connects(SMALL_STREAMS);
    peer.sends(request(1, EndStream.NO), data(1, 1000, EndStream.NO));
    peer.connection().consumed(peer.stream(1), 499);
    peer.receivesNothingElse();
    peer.connection().consumed(peer.stream(1), 1);
    peer.receives(windowUpdate(1, 500));
    peer.sends(data(1, 500, EndStream.NO));
    peer.receivesNothingElse();
    peer.connection().consumed(peer.stream(1), 1000);
    peer.receives(windowUpdate(1, 1000));
  }

  @ServerScript
  void anUnreadStreamDoesNotHoldTheConnectionsWindow(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withWindows(WindowLimits.fixed(65_535, 65_535)));
    peer.sends(request(1, EndStream.NO), request(3, EndStream.NO));
    for (int i = 0; i < 3; i++) {
      peer.sends(data(1, 16_000, EndStream.NO));
    }
    peer.receives(windowUpdate(0, 48_000));
    for (int i = 0; i < 3; i++) {
      peer.sends(data(3, 16_000, EndStream.NO));
    }
    peer.receives(windowUpdate(0, 48_000));
    peer.receivesNothingElse();
  }

  @ServerScript
  void moreThanTheConnectionsWindowIsAConnectionError(ScriptedPeer peer) {
    peer.connects(LARGE_FRAMES);
    peer.sends(request(1, EndStream.NO));
    peer.connectionHasTold();
    peer.sends(data(1, 65_536, EndStream.NO));
    peer.isCutOff(1, ErrorCode.FLOW_CONTROL_ERROR);
  }

  @ServerScript
  void theConnectionsWindowMayBeFilledByOneFrame(ScriptedPeer peer) {
    peer.connects(LARGE_FRAMES);
    peer.sends(request(1, EndStream.NO), data(1, 65_535, EndStream.NO));
    peer.receives(windowUpdate(0, 65_535));
    peer.receivesNothingElse();
  }

  @ServerScript
  void dataForAStreamThatWeResetIsCountedForTheConnection(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withWindows(WindowLimits.fixed(65_535, 65_535)));
    peer.sends(request(1, EndStream.NO));
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    peer.receives(rstStream(1, ErrorCode.CANCEL));
    peer.connectionHasTold();
    for (int i = 0; i < 3; i++) {
      peer.sends(data(1, 16_000, EndStream.NO));
    }
    peer.receives(windowUpdate(0, 48_000));
    peer.receivesNothingElse();
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void paddingIsNotContent(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO).paddedBy(255));
    peer.sends(data(1, "content", EndStream.NO).paddedBy(0));
    peer.sends(data(1, ", more", EndStream.NO).paddedBy(255));
    peer.sends(data(1, "", EndStream.NO).paddedBy(3));
    peer.sends(data(1, "", EndStream.YES).paddedBy(255));
    peer.connectionTells(
        Told.request(1, EndStream.NO), new Told.Data(1, "content, more"), new Told.EndOfStream(1));
    peer.receivesNothingElse();
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void paddingCountsInTheWindow(ScriptedPeer peer) {
    peer.connects(SMALL_STREAMS);
    peer.sends(request(1, EndStream.NO));
    peer.connectionHasTold();
    peer.sends(data(1, 800, EndStream.NO).paddedBy(200));
    peer.receives(rstStream(1, ErrorCode.FLOW_CONTROL_ERROR));
  }

  @ServerScript
  void paddingCountsAsConsumedAtOnce(ScriptedPeer peer) {
    peer.connects(SMALL_STREAMS);
    peer.sends(request(1, EndStream.NO), data(1, 400, EndStream.NO).paddedBy(199));
    peer.receivesNothingElse();
    peer.connection().consumed(peer.stream(1), 300);
    peer.receives(windowUpdate(1, 500));
    peer.sends(data(1, "", EndStream.NO).paddedBy(255));
    peer.receivesNothingElse();
    peer.sends(data(1, "", EndStream.NO).paddedBy(243));
    peer.receives(windowUpdate(1, 500));
  }

  /** The pad length is an octet of the frame, also where it says that no padding follows. */
  @ServerScript
  void thePadLengthIsGivenBackEvenIfItIsZero(ScriptedPeer peer) {
    peer.connects(SMALL_STREAMS);
    peer.sends(request(1, EndStream.NO), data(1, 999, EndStream.NO).paddedBy(0));
    peer.connection().consumed(peer.stream(1), 999);
    peer.receives(windowUpdate(1, 1000));
  }

  @ServerScript
  void anEndedStreamNeedsNoWindow(ScriptedPeer peer) {
    peer.connects(SMALL_STREAMS);
    peer.sends(request(1, EndStream.NO), data(1, 1000, EndStream.YES));
    peer.connection().consumed(peer.stream(1), 1000);
    peer.receivesNothingElse();
  }

  @ServerScript
  void aStreamOlderThanTheAcknowledgementMayFillTheInitialWindow(ScriptedPeer peer) {
    peer.starts(SMALL_STREAMS).rawFrames();
    peer.sendsPreface();
    peer.sends(settings(), request(1, EndStream.NO));
    peer.receives(settingsAck());
    for (int i = 0; i < 5; i++) {
      peer.sends(data(1, 13_107, EndStream.NO));
    }
    peer.receivesNothingElse();
  }

  @ServerScript
  void aStreamOlderThanTheAcknowledgementDoesNotStallInASmallWindow(ScriptedPeer peer) {
    peer.starts(SMALL_STREAMS).rawFrames();
    peer.sendsPreface();
    peer.sends(settings(), request(1, EndStream.NO), settingsAck());
    peer.receives(settingsAck());
    peer.sends(data(1, 1000, EndStream.NO));
    peer.connection().consumed(peer.stream(1), 1000);
    peer.receives(windowUpdate(1, 1000));
  }

  @ServerScript
  void dataOfALargeFrameIsReceivedCompletely(ScriptedPeer peer) {
    peer.connects(LARGE_FRAMES);
    peer.sends(request(1, EndStream.NO), data(1, 60_000, EndStream.YES));
    peer.connectionTells(
        Told.request(1, EndStream.NO),
        new Told.Data(1, "d".repeat(60_000)),
        new Told.EndOfStream(1));
  }
}
