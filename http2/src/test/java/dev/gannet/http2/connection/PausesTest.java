package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.ping;
import static dev.gannet.http2.connection.WireFrame.pingAck;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static dev.gannet.http2.connection.WireFrame.settings;
import static dev.gannet.http2.connection.WireFrame.settingsAck;
import static dev.gannet.http2.connection.WireFrame.windowUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.PingLimits;
import dev.gannet.http2.PingPolicy;
import dev.gannet.http2.Timeouts;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A pause of this side's program costs an honest peer nothing: what the peer sent meanwhile, and is
 * read in one go, is no offence, and nothing that it owes is late. Attackers gain no more by it
 * than they may do in the time of the pause.
 */
final class PausesTest {
  private static final Duration PAUSE = Duration.ofSeconds(20);
  private static final int IN_THE_PAUSE = Offences.A_SECOND * 20;
  private static final int MANY = 5000;

  @ParameterizedTest(name = "{0}")
  @MethodSource("dev.gannet.http2.connection.Offences#all")
  void whatThePeerDidDuringAPauseMayAccumulate(Offences offences) {
    offences.prepares();
    offences.peer().findsTheConnectionStopped(PAUSE);
    offences.areLimitedTo(Offences.AT_ONCE + IN_THE_PAUSE);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("dev.gannet.http2.connection.Offences#all")
  void silenceDoesNotCountAsAPause(Offences offences) {
    offences.prepares();
    offences.peer().waits(Duration.ofHours(1));
    offences.areLimitedTo(Offences.AT_ONCE);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("dev.gannet.http2.connection.Offences#all")
  void aPauseCannotBeUsedLater(Offences offences) {
    offences.prepares();
    offences.peer().findsTheConnectionStopped(PAUSE);
    offences.peer().waits(PAUSE);
    offences.areLimitedTo(Offences.AT_ONCE);
  }

  @ServerScript
  void servedCallsDoNotReduceTheCreditOfAPause(ScriptedPeer peer) {
    Offences resets = new Offences(peer, AbuseKind.RESET_STREAM);
    resets.prepares();
    peer.findsTheConnectionStopped(PAUSE);
    resets.areAllowed(1);
    peer.connection().onServed();
    peer.connection().onServed();
    resets.areAllowed(Offences.AT_ONCE + IN_THE_PAUSE - 1);
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
    Offences useless = new Offences(peer, AbuseKind.WITHOUT_EFFECT);
    useless.prepares();
    peer.findsTheConnectionStopped(PAUSE, Duration.ZERO);
    useless.areLimitedTo(Offences.AT_ONCE);
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
