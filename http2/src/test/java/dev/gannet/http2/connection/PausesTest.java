package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.END_HEADERS;
import static dev.gannet.http2.connection.WireFrame.END_STREAM;
import static dev.gannet.http2.connection.WireFrame.HEADERS;
import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.goAway;
import static dev.gannet.http2.connection.WireFrame.ping;
import static dev.gannet.http2.connection.WireFrame.pingAck;
import static dev.gannet.http2.connection.WireFrame.priority;
import static dev.gannet.http2.connection.WireFrame.raw;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static dev.gannet.http2.connection.WireFrame.settings;
import static dev.gannet.http2.connection.WireFrame.settingsAck;
import static dev.gannet.http2.connection.WireFrame.windowUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.AbuseLimits;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.HeaderLimits;
import dev.gannet.http2.Limits;
import dev.gannet.http2.PingLimits;
import dev.gannet.http2.PingPolicy;
import dev.gannet.http2.Timeouts;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * A pause of this side's program costs an honest peer nothing: what the peer sent meanwhile, and is
 * read in one go, is no offence, and nothing that it owes is late. Attackers gain no more by it
 * than they may do in the time of the pause.
 */
final class PausesTest {
  private static final Duration PAUSE = Duration.ofSeconds(20);
  private static final int AT_ONCE = 10;
  private static final int A_SECOND = 1;
  private static final int IN_THE_PAUSE = A_SECOND * 20;
  private static final int MANY = 5000;

  /** {@code :method: GET} as HPACK's static table has it. */
  private static final byte INDEXED_METHOD = (byte) 0x82;

  private static Limits limitsOf(AbuseKind offence) {
    AbuseLimits abuse =
        AbuseLimits.DEFAULT.with(offence, new AbuseKind.Rate(AT_ONCE, A_SECOND * 60));
    return Limits.DEFAULT
        .withAbuse(abuse)
        .withMaxConcurrentStreams(offence == AbuseKind.UNSERVED_STREAM ? 1 : 256)
        .withHeaders(HeaderLimits.DEFAULT.withMaxListBytes(1000));
  }

  /** A connection on which each {@link #commits} is one offence, and all that is free is spent. */
  private static void prepares(ScriptedPeer peer, AbuseKind offence) {
    peer.connects(limitsOf(offence));
    switch (offence) {
      case EMPTY_DATA, TINY_DATA -> peer.sends(request(1, EndStream.NO));
      case WINDOW_UPDATE -> {
        for (int i = 0; i < 16; i++) {
          peer.sends(windowUpdate(0, 1));
        }
      }
      case UNSERVED_STREAM ->
          peer.sends(
              request(1, EndStream.NO),
              rstStream(1, ErrorCode.CANCEL),
              request(3, EndStream.NO),
              rstStream(3, ErrorCode.CANCEL));
      case LATE_FRAME -> {
        peer.asksForStream(EndStream.YES);
        peer.sends(rstStream(1, ErrorCode.CANCEL));
      }
      default -> {}
    }
    peer.waitsSeconds(60);
  }

  private static void commits(ScriptedPeer peer, AbuseKind offence, int times) {
    for (int i = 0; i < times && !peer.isOver(); i++) {
      commits(peer, offence);
    }
  }

  private static void commits(ScriptedPeer peer, AbuseKind offence) {
    int streamId = peer.newStreamId();
    switch (offence) {
      case RESET_STREAM -> {
        peer.sends(request(streamId, EndStream.YES), rstStream(streamId, ErrorCode.CANCEL));
        peer.connection().release(peer.stream(streamId));
      }
      case UNSERVED_STREAM -> peer.sends(request(streamId, EndStream.YES));
      case OVERSIZED_HEADERS -> {
        byte[] list = new byte[30];
        Arrays.fill(list, INDEXED_METHOD);
        peer.sends(raw(HEADERS, END_HEADERS | END_STREAM, streamId, list));
      }
      case EMPTY_DATA -> peer.sends(data(1, "", EndStream.NO));
      case TINY_DATA -> peer.sends(data(1, "c", EndStream.NO));
      case WINDOW_UPDATE -> peer.sends(windowUpdate(0, 1));
      case SETTINGS -> peer.sends(settings());
      case PING -> peer.sends(ping(1));
      case LATE_FRAME -> peer.sends(rstStream(1, ErrorCode.CANCEL));
      case GOAWAY -> peer.sends(goAway(0, ErrorCode.NO_ERROR));
      case PRIORITY -> peer.sends(priority(1));
      case WITHOUT_EFFECT -> peer.sends(raw(99, 0, 0, 0));
      case EMPTY_TLS_RECORD, TINY_TLS_RECORD -> throw new AssertionError("counted below HTTP/2");
    }
  }

  /** Those of TLS are counted below HTTP/2, and no honest peer sends as many in any pause. */
  private static Set<AbuseKind> ofHttp2() {
    return EnumSet.complementOf(EnumSet.of(AbuseKind.EMPTY_TLS_RECORD, AbuseKind.TINY_TLS_RECORD));
  }

  private static Set<AbuseKind> ofClients() {
    Set<AbuseKind> all = ofHttp2();
    all.remove(AbuseKind.LATE_FRAME);
    return all;
  }

  private static Set<AbuseKind> ofServers() {
    Set<AbuseKind> all = ofHttp2();
    all.removeAll(
        EnumSet.of(
            AbuseKind.RESET_STREAM,
            AbuseKind.UNSERVED_STREAM,
            AbuseKind.OVERSIZED_HEADERS,
            AbuseKind.EMPTY_DATA,
            AbuseKind.TINY_DATA));
    return all;
  }

  private static void mayPileUp(ScriptedPeer peer, Set<AbuseKind> offences) {
    for (AbuseKind offence : offences) {
      prepares(peer, offence);
      peer.findsTheConnectionStopped(PAUSE);
      commits(peer, offence, AT_ONCE + IN_THE_PAUSE);
      assertThat(peer.isOver()).as("over for %s", offence).isFalse();
      commits(peer, offence);
      assertThat(peer.isOver()).as("over for one more of %s", offence).isTrue();
    }
  }

  private static void endWithoutAPause(ScriptedPeer peer, Set<AbuseKind> offences) {
    for (AbuseKind offence : offences) {
      prepares(peer, offence);
      peer.waits(Duration.ofHours(1));
      commits(peer, offence, AT_ONCE);
      assertThat(peer.isOver()).as("over for %s", offence).isFalse();
      commits(peer, offence);
      assertThat(peer.isOver()).as("over for one more of %s", offence).isTrue();
    }
  }

  private static void areNoLongerForgiven(ScriptedPeer peer, Set<AbuseKind> offences) {
    for (AbuseKind offence : offences) {
      prepares(peer, offence);
      peer.findsTheConnectionStopped(PAUSE);
      peer.waits(PAUSE);
      commits(peer, offence, AT_ONCE);
      assertThat(peer.isOver()).as("over for %s", offence).isFalse();
      commits(peer, offence);
      assertThat(peer.isOver()).as("over for one more of %s", offence).isTrue();
    }
  }

  @ServerScript
  void actionsOfClientsMayAccumulateDuringAPause(ScriptedPeer peer) {
    mayPileUp(peer, ofClients());
  }

  @ClientScript
  void actionsOfServersMayAccumulateDuringAPause(ScriptedPeer peer) {
    mayPileUp(peer, ofServers());
  }

  @ServerScript
  void silenceOfClientsDoesNotCountAsAPause(ScriptedPeer peer) {
    endWithoutAPause(peer, ofClients());
  }

  @ClientScript
  void silenceOfServersDoesNotCountAsAPause(ScriptedPeer peer) {
    endWithoutAPause(peer, ofServers());
  }

  @ServerScript
  void clientsCannotUseAPauseLater(ScriptedPeer peer) {
    areNoLongerForgiven(peer, ofClients());
  }

  @ClientScript
  void serversCannotUseAPauseLater(ScriptedPeer peer) {
    areNoLongerForgiven(peer, ofServers());
  }

  @ServerScript
  void servedCallsDoNotReduceTheCreditOfAPause(ScriptedPeer peer) {
    prepares(peer, AbuseKind.RESET_STREAM);
    peer.findsTheConnectionStopped(PAUSE);
    commits(peer, AbuseKind.RESET_STREAM);
    peer.connection().onServed();
    peer.connection().onServed();
    commits(peer, AbuseKind.RESET_STREAM, AT_ONCE + IN_THE_PAUSE - 1);
    assertThat(peer.isOver()).isFalse();
  }

  /** As many as there were streams, whenever they come: each may have crossed its answer. */
  @ServerScript
  void aResetMayCrossEachAnswerAlsoWhereAllAreReadAtOnce(ScriptedPeer peer) {
    peer.connects();
    for (int i = 0; i < MANY; i++) {
      peer.sends(request(2 * i + 1, EndStream.YES));
      peer.connectionResponds(2 * i + 1, EndStream.YES);
      peer.connection().release(peer.stream(2 * i + 1));
    }
    for (int i = 0; i < MANY; i++) {
      peer.sends(rstStream(2 * i + 1, ErrorCode.CANCEL));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void resetsBeyondOneForEachStreamEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.YES));
    peer.connectionResponds(1, EndStream.YES);
    for (int i = 0; i < MANY && !peer.isOver(); i++) {
      peer.sends(rstStream(1, ErrorCode.CANCEL));
    }
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void windowUpdatesForAllSmallFramesMayAccumulate(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    for (int i = 0; i < MANY; i++) {
      peer.connectionSends(1, "tiny!", EndStream.NO);
      peer.connection().flush();
    }
    for (int i = 0; i < MANY; i++) {
      peer.sends(windowUpdate(0, 5), windowUpdate(1, 5));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void severalStreamsMayHaveRunOneAfterAnotherDuringAPause(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withMaxConcurrentStreams(3));
    peer.findsTheConnectionStopped(PAUSE);
    peer.sends(request(1, EndStream.YES));
    for (int i = 0; i < 3 * 4; i++) {
      assertThat(peer.connection().trySpendPause(PAUSE.dividedBy(4).toNanos())).isTrue();
    }
    assertThat(peer.connection().trySpendPause(1)).isFalse();
  }

  @ServerScript
  void noStreamCanHaveRunLongerThanThePause(ScriptedPeer peer) {
    peer.connects();
    assertThat(peer.connection().trySpendPause(1)).isFalse();
    peer.findsTheConnectionStopped(PAUSE);
    peer.sends(request(1, EndStream.YES));
    assertThat(peer.connection().trySpendPause(PAUSE.toNanos() + 1)).isFalse();
    assertThat(peer.connection().trySpendPause(PAUSE.toNanos())).isTrue();
    peer.waits(PAUSE);
    peer.sends(request(3, EndStream.YES));
    assertThat(peer.connection().trySpendPause(1)).isFalse();
  }

  @ServerScript
  void aPauseWithoutABacklogExcusesNothing(ScriptedPeer peer) {
    prepares(peer, AbuseKind.WITHOUT_EFFECT);
    peer.findsTheConnectionStopped(PAUSE, Duration.ZERO);
    commits(peer, AbuseKind.WITHOUT_EFFECT, AT_ONCE);
    assertThat(peer.isOver()).isFalse();
    commits(peer, AbuseKind.WITHOUT_EFFECT);
    assertThat(peer.isOver()).isTrue();
  }

  @ServerScript
  void pingsReadAfterAPauseCountAsSpreadOverIt(ScriptedPeer peer) {
    peer.connects(pingsEvery(PAUSE.dividedBy(5)));
    peer.sends(ping(1));
    peer.findsTheConnectionStopped(PAUSE);
    for (int i = 0; i < 5; i++) {
      peer.sends(ping(i));
    }
    assertThat(peer.isOver()).isFalse();
    peer.sends(ping(5));
    assertThat(peer.isOver()).isTrue();
  }

  @ServerScript
  void aPingReadAfterAPauseDoesNotDelayTheNext(ScriptedPeer peer) {
    peer.connects(pingsEvery(Duration.ofSeconds(60)));
    peer.sends(ping(0));
    peer.waits(Duration.ofSeconds(55));
    peer.findsTheConnectionStopped(PAUSE);
    peer.sends(ping(1));
    peer.waits(Duration.ofSeconds(45));
    peer.sends(ping(2));
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void aPingReadAfterAPauseMayHaveBeenSentAtItsStart(ScriptedPeer peer) {
    peer.connects(pingsEvery(Duration.ofSeconds(60)));
    peer.findsTheConnectionStopped(PAUSE);
    peer.sends(ping(1));
    peer.waits(Duration.ofSeconds(40));
    peer.sends(ping(2));
    assertThat(peer.isOver()).isFalse();
  }

  private static Limits pingsEvery(Duration interval) {
    PingLimits pings = new PingLimits(interval.toNanos(), interval.toNanos(), 0);
    return Limits.DEFAULT.withTimeouts(Timeouts.DEFAULT.withPings(pings));
  }

  @ServerScript
  void thePauseDoesNotCountTowardsTheHandshakeTimeout(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT).rawFrames();
    peer.findsTheConnectionStopped(PAUSE);
    peer.wakes();
    peer.waits(Duration.ofSeconds(9));
    assertThat(peer.isOver()).isFalse();
    peer.sendsPreface();
    peer.sends(settings());
    peer.receives(settingsAck());
    peer.findsTheConnectionStopped(PAUSE);
    peer.wakes();
    peer.sends(settingsAck());
    peer.waits(Duration.ofHours(1));
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void aPeerThatIsTooSlowOutsideThePauseIsClosed(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT).rawFrames();
    peer.findsTheConnectionStopped(PAUSE);
    peer.waits(Duration.ofSeconds(10));
    assertThat(peer.lastWords()).contains("preface");
  }

  @ServerScript
  void thePauseDoesNotCountTowardsTheHeaderBlockTimeout(ScriptedPeer peer) {
    peer.connects();
    WireFrame[] block = request(1, EndStream.NO).inFragments(1);
    peer.sends(block[0]);
    peer.findsTheConnectionStopped(PAUSE);
    peer.wakes();
    peer.sends(block[1]);
    peer.waits(Duration.ofHours(1));
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void anAnswerToKeepaliveMayHaveWaitedForThePausesEnd(ScriptedPeer peer) {
    PingPolicy keepalive =
        new PingPolicy(Duration.ofSeconds(60).toNanos(), PAUSE.toNanos(), PingPolicy.WhenIdle.ASK);
    peer.connects(Limits.DEFAULT.withTimeouts(Timeouts.DEFAULT.withKeepalive(keepalive)));
    peer.waits(Duration.ofSeconds(60));
    long asked = peer.rawFrames().getLast().payload().duplicate().getLong();
    peer.findsTheConnectionStopped(PAUSE);
    peer.wakes();
    assertThat(peer.isOver()).isFalse();
    peer.sends(pingAck(asked));
    peer.findsTheConnectionStopped(Duration.ofSeconds(60));
    peer.wakes();
    assertThat(peer.rawFrames()).isEmpty();
  }

  @ServerScript
  void aPauseDoesNotCountAsAStalledWire(ScriptedPeer peer) {
    peer.connects();
    peer.sink().standsAt(42);
    peer.waits(Duration.ofMinutes(1));
    peer.findsTheConnectionStopped(Duration.ofMinutes(10));
    peer.wakes();
    peer.waits(Duration.ofMinutes(8));
    assertThat(peer.isOver()).isFalse();
    peer.waits(Duration.ofMinutes(2));
    assertThat(peer.isOver()).isTrue();
  }
}
