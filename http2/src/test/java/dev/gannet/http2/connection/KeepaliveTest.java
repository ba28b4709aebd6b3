package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.ping;
import static dev.gannet.http2.connection.WireFrame.pingAck;
import static dev.gannet.http2.connection.WireFrame.response;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static dev.gannet.http2.connection.WireFrame.windowUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.PingPolicy;
import dev.gannet.http2.PingPolicy.WhenIdle;
import dev.gannet.http2.Timeouts;
import java.time.Duration;
import java.util.List;

/** A silent peer is asked for a sign of life, and left if it gives none (gRFC A8). */
final class KeepaliveTest {
  private static final Duration SILENCE = Duration.ofSeconds(30);
  private static final Duration ANSWER = Duration.ofSeconds(20);
  private static final Duration MOMENT = Duration.ofNanos(1);

  private static Limits asking(WhenIdle whenIdle) {
    PingPolicy rule = new PingPolicy(SILENCE.toNanos(), ANSWER.toNanos(), whenIdle);
    return Limits.DEFAULT.withTimeouts(Timeouts.DEFAULT.withKeepalive(rule));
  }

  private static WireFrame onlyPing(ScriptedPeer peer) {
    List<WireFrame> frames = peer.rawFrames();
    assertThat(frames).hasSize(1);
    assertThat(frames.getFirst().type()).isEqualTo(WireFrame.PING);
    return frames.getFirst();
  }

  private static void answers(ScriptedPeer peer, WireFrame ping) {
    peer.sends(ping.flagged(WireFrame.ACK));
  }

  @ServerScript
  void aSilentPeerIsPinged(ScriptedPeer peer) {
    peer.connects(asking(WhenIdle.ASK)).rawFrames();
    peer.waits(SILENCE.minus(MOMENT));
    peer.receivesNothingElse();
    peer.waits(MOMENT);
    onlyPing(peer);
  }

  @ServerScript
  void aPeerThatDoesNotAnswerIsClosed(ScriptedPeer peer) {
    peer.connects(asking(WhenIdle.ASK)).rawFrames();
    peer.waits(SILENCE);
    onlyPing(peer);
    peer.waits(ANSWER.minus(MOMENT));
    assertThat(peer.isOver()).isFalse();
    peer.waits(MOMENT);
    assertThat(peer.lastWords())
        .isEqualTo("keepalive: no answer to PING within 20 s (keepAliveTimeout)");
    peer.isCutOff(0, ErrorCode.NO_ERROR);
  }

  @ServerScript
  void aPeerThatAnswersIsPingedAgainAfterTheNextSilence(ScriptedPeer peer) {
    peer.connects(asking(WhenIdle.ASK)).rawFrames();
    for (int i = 0; i < 5; i++) {
      peer.waits(SILENCE);
      WireFrame asked = onlyPing(peer);
      peer.waits(ANSWER.minus(MOMENT));
      answers(peer, asked);
    }
    assertThat(peer.isOver()).isFalse();
    assertThat(peer.nextWake()).isEqualTo(SILENCE);
  }

  @ServerScript
  void whateverArrivesIsASignOfLife(ScriptedPeer peer) {
    peer.connects(asking(WhenIdle.ASK)).rawFrames();
    peer.waits(SILENCE);
    onlyPing(peer);
    peer.sends(windowUpdate(0, 1));
    peer.waits(ANSWER);
    assertThat(peer.isOver()).isFalse();
    peer.receivesNothingElse();
  }

  @ServerScript
  void silenceIsCountedFromTheLastByte(ScriptedPeer peer) {
    peer.connects(asking(WhenIdle.ASK)).rawFrames();
    for (int i = 0; i < 10; i++) {
      peer.waits(SILENCE.minus(MOMENT));
      peer.sends(ping(i));
      peer.receives(pingAck(i)).receivesNothingElse();
    }
  }

  @ServerScript
  void anIdlePeerNeedsOneWakeUpPerPing(ScriptedPeer peer) {
    peer.connects(asking(WhenIdle.ASK)).rawFrames();
    assertThat(peer.nextWake()).isEqualTo(SILENCE);
    peer.waits(SILENCE);
    assertThat(peer.nextWake()).isEqualTo(ANSWER);
  }

  @ClientScript
  void pingsToIdlePeersCanBeTurnedOff(ScriptedPeer peer) {
    peer.connects(asking(WhenIdle.LEAVE_ALONE)).rawFrames();
    assertThat(peer.isWakeAskedFor()).isFalse();
    peer.waits(Duration.ofDays(1));
    peer.receivesNothingElse();
  }

  @ClientScript
  void aPeerThatWasIdleIsPingedWhenAStreamHasWaited(ScriptedPeer peer) {
    peer.connects(asking(WhenIdle.LEAVE_ALONE)).rawFrames();
    peer.waits(Duration.ofHours(1));
    peer.asksForStream(EndStream.YES);
    peer.rawFrames();
    peer.waits(SILENCE.minus(MOMENT));
    peer.receivesNothingElse();
    peer.waits(MOMENT);
    onlyPing(peer);
    peer.waits(ANSWER);
    assertThat(peer.lastWords()).contains("keepalive");
  }

  @ClientScript
  void pingsStopWhenTheLastStreamHasEnded(ScriptedPeer peer) {
    peer.connects(asking(WhenIdle.LEAVE_ALONE)).rawFrames();
    peer.asksForStream(EndStream.YES);
    peer.waits(SILENCE);
    peer.sends(response(1, EndStream.YES));
    peer.rawFrames();
    assertThat(peer.isWakeAskedFor()).isFalse();
  }

  @ClientScript
  void aPingMustBeAnsweredEvenIfTheStreamHasEnded(ScriptedPeer peer) {
    peer.connects(asking(WhenIdle.LEAVE_ALONE)).rawFrames();
    Http2Stream stream = peer.asksForStream(EndStream.YES);
    peer.rawFrames();
    peer.waits(SILENCE);
    onlyPing(peer);
    peer.connection().reset(stream, ErrorCode.CANCEL);
    peer.receives(rstStream(1, ErrorCode.CANCEL));
    peer.waits(ANSWER);
    assertThat(peer.lastWords()).contains("keepalive");
  }

  @ClientScript
  void shortCallsCauseNoPings(ScriptedPeer peer) {
    peer.connects(asking(WhenIdle.LEAVE_ALONE)).rawFrames();
    for (int streamId = 1; streamId < 100; streamId += 2) {
      peer.waits(SILENCE.plusSeconds(5));
      peer.asksForStream(EndStream.YES);
      peer.waits(Duration.ofSeconds(1));
      peer.sends(response(streamId, EndStream.YES));
    }
    assertThat(peer.rawFrames()).noneMatch(frame -> frame.type() == WireFrame.PING);
  }
}
