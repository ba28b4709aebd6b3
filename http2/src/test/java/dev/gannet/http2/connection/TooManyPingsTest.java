package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.ping;
import static dev.gannet.http2.connection.WireFrame.pingAck;
import static dev.gannet.http2.connection.WireFrame.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.PingLimits;
import dev.gannet.http2.Timeouts;
import java.time.Duration;

/** A peer that asks for signs of life too often loses the connection (gRFC A8). */
final class TooManyPingsTest {
  private static final Duration INTERVAL = Duration.ofMinutes(5);
  private static final Duration IDLE_INTERVAL = Duration.ofHours(2);
  private static final Limits LIMITS =
      Limits.DEFAULT.withTimeouts(
          Timeouts.DEFAULT.withPings(
              new PingLimits(INTERVAL.toNanos(), IDLE_INTERVAL.toNanos(), 2)));

  private static void connects(ScriptedPeer peer) {
    peer.connects(LIMITS).rawFrames();
  }

  private static void isToldToCalmDown(ScriptedPeer peer) {
    assertThat(peer.isOver()).isTrue();
    assertThat(peer.lastWords()).isEqualTo("too_many_pings");
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void theThirdEarlyPingEndsTheConnection(ScriptedPeer peer) {
    connects(peer);
    peer.sends(request(1, EndStream.NO), ping(0), ping(1), ping(2));
    peer.receives(pingAck(0), pingAck(1), pingAck(2)).receivesNothingElse();
    assertThat(peer.isOver()).isFalse();
    peer.sends(ping(3));
    isToldToCalmDown(peer);
  }

  @ServerScript
  void pingStrikesDoNotExpire(ScriptedPeer peer) {
    connects(peer);
    peer.sends(request(1, EndStream.NO), ping(0));
    for (int i = 0; i < 3; i++) {
      assertThat(peer.isOver()).isFalse();
      peer.waits(INTERVAL);
      peer.sends(ping(1), ping(2));
    }
    isToldToCalmDown(peer);
  }

  @ServerScript
  void withAStreamEveryFiveMinutesIsNotTooOften(ScriptedPeer peer) {
    connects(peer);
    peer.sends(request(1, EndStream.NO));
    for (int i = 0; i < 20; i++) {
      peer.sends(ping(i));
      peer.waits(INTERVAL);
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void withoutAStreamEveryFiveMinutesIsTooOften(ScriptedPeer peer) {
    connects(peer);
    for (int i = 0; i < 4; i++) {
      assertThat(peer.isOver()).isFalse();
      peer.sends(ping(i));
      peer.waits(INTERVAL);
    }
    isToldToCalmDown(peer);
  }

  @ServerScript
  void withoutAStreamEveryTwoHoursIsNotTooOften(ScriptedPeer peer) {
    connects(peer);
    for (int i = 0; i < 20; i++) {
      peer.sends(ping(i));
      peer.waits(IDLE_INTERVAL);
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void sendingHeadersClearsPingStrikes(ScriptedPeer peer) {
    connects(peer);
    for (int streamId = 1; streamId < 40; streamId += 2) {
      peer.sends(request(streamId, EndStream.YES), ping(0), ping(1), ping(2));
      peer.connectionResponds(streamId, EndStream.YES);
      peer.connection().release(peer.stream(streamId));
    }
    assertThat(peer.isOver()).isFalse();
  }

  /** As estimators of bandwidth do: a PING for each flight of data that arrives. */
  @ServerScript
  void aPingForEachDataFrameIsNoStrike(ScriptedPeer peer) {
    connects(peer);
    peer.sends(request(1, EndStream.YES));
    peer.connectionResponds(1, EndStream.NO);
    for (int i = 0; i < 100; i++) {
      peer.connectionSends(1, "d", EndStream.NO);
      peer.connection().flush();
      peer.sends(ping(i));
      peer.waits(Duration.ofMillis(200));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void receivedDataDoesNotClearPingStrikes(ScriptedPeer peer) {
    connects(peer);
    peer.sends(request(1, EndStream.NO));
    for (int i = 0; i < 4; i++) {
      assertThat(peer.isOver()).isFalse();
      peer.sends(data(1, "d", EndStream.NO), ping(i));
    }
    isToldToCalmDown(peer);
  }

  @ServerScript
  void answersToOurOwnPingsAreNotCounted(ScriptedPeer peer) {
    connects(peer);
    for (int i = 0; i < 20; i++) {
      peer.sends(pingAck(i));
    }
    assertThat(peer.isOver()).isFalse();
  }
}
