package dev.gannet.client.subchannel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.api.transport.Offence;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.client.FakeConnector;
import dev.gannet.client.FakePipes;
import dev.gannet.client.TestChannel;
import dev.gannet.client.TestResolver;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.balancer.SubchannelState;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.transport.FaultReports;
import dev.gannet.transport.settings.TransportSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One address: its states, its backoff, its connections; and the attempts to connect. */
final class ManagedSubchannelTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final TestChannel test = new TestChannel();
  private final SubchannelOwner channel = new SubchannelOwner(test);
  private final List<String> told = new ArrayList<>();
  private final ManagedSubchannel subchannel = subchannelTold(this::tell);

  private ManagedSubchannel subchannelTold(Subchannel.Listener listener) {
    return new ManagedSubchannel(
        test.settings(),
        channel,
        Runnable::run,
        Endpoint.of(TestResolver.address(1)),
        listener,
        CallTracker.NONE);
  }

  private void tell(Subchannel it, SubchannelState state) {
    assertThat(it).isSameAs(subchannel);
    told.add(state.toString());
  }

  private FakeConnector.Dial connect() {
    subchannel.connect();
    return test.dial();
  }

  private void shutDown() {
    subchannel.shutdown();
  }

  @Test
  void itConnectsOnlyWhenAskedTo() {
    assertThat(subchannel.transport()).isNull();
    assertThat(subchannel.address()).isEqualTo(TestResolver.address(1));
    assertThat(test.connector.dials).isEmpty();
    connect();
    connect();
    assertThat(test.connector.dials).hasSize(1);
    assertThat(told).containsExactly("CONNECTING");
    assertThat(subchannel).hasToString("subchannel to server1/<unresolved>:1");
  }

  @Test
  void aConnectionThatHasReceivedSettingsIsReady() {
    FakeConnector.Dial dial = connect();
    dial.opens();
    assertThat(subchannel.transport()).isNull();
    dial.then.onReady();
    assertThat(subchannel.transport()).isSameAs(dial.transport);
    assertThat(told).containsExactly("CONNECTING", "READY");
    assertThat(channel.readies).isOne();
    assertThat(test.loop.pendingTasks()).isZero();
    subchannel.connect();
    assertThat(test.connector.dials).hasSize(1);
  }

  @Test
  void aReadyEventBeforeTheConnectionOpensIsIgnored() {
    connect().then.onReady();
    assertThat(told).containsExactly("CONNECTING");
  }

  @Test
  void aConnectionThatGoesAwayTakesNoMoreCallsAndDrains() {
    FakeConnector.Dial dial = connect();
    dial.becomesReady();
    dial.goesAway();
    assertThat(subchannel.transport()).isNull();
    assertThat(told).endsWith("READY", "IDLE");
    connect().becomesReady();
    assertThat(subchannel.transport()).isSameAs(test.dial().transport);
    dial.goesAway(); // again: the one in use is another
    assertThat(subchannel.transport()).isSameAs(test.dial().transport);
    dial.isGone("done");
    assertThat(told).endsWith("READY");
  }

  @Test
  void aConnectionThatGoesAwayIsRemovedEvenWhileTheChannelIsBusy() {
    FakeConnector.Dial dial = connect();
    dial.becomesReady();
    channel.tasks.run(() -> {
      dial.goesAway();
      assertThat(subchannel.transport()).isNull();
      assertThat(told).endsWith("READY");
    });
    assertThat(told).endsWith("IDLE");
  }

  @Test
  void aRefusalIsFollowedByABackoff() {
    connect().isRefused();
    assertThat(told.getLast())
        .isEqualTo("TRANSIENT_FAILURE (UNAVAILABLE: connection refused: server1/<unresolved>:1)");
    subchannel.connect();
    assertThat(test.connector.dials).hasSize(1);
    test.advance(Duration.ofMillis(799));
    assertThat(told.getLast()).startsWith("TRANSIENT_FAILURE");
    test.advance(Duration.ofMillis(402));
    assertThat(told.getLast()).isEqualTo("IDLE");
    assertThat(test.connector.dials).hasSize(1);
  }

  @Test
  void backoffsGrowUntilAConnectionWasReady() {
    connect().isRefused();
    test.advance(Duration.ofMillis(1200));
    connect().isRefused();
    test.advance(Duration.ofMillis(1200));
    assertThat(told.getLast()).startsWith("TRANSIENT_FAILURE");
    test.advance(Duration.ofMillis(800));
    connect().becomesReady();
    test.dial().isLost();
    connect().isRefused();
    test.advance(Duration.ofMillis(1200));
    assertThat(told.getLast()).isEqualTo("IDLE");
  }

  @Test
  void aConnectionCanBeRefusedDuringConnect() {
    test.connector.refusesAtOnce = true;
    assertThat(connect().takenBack).isTrue(); // who decided found nothing to take back
    assertThat(told.getLast()).startsWith("TRANSIENT_FAILURE");
  }

  @Test
  void aConnectorThatThrowsCountsAsARefusal() {
    test.connector.thrown = Optional.of(new LinkageError("no sockets"));
    subchannel.connect();
    assertThat(told.getLast()).isEqualTo("TRANSIENT_FAILURE (UNAVAILABLE: no sockets)");
    test.connector.thrown = Optional.of(new LinkageError());
    test.advance(Duration.ofSeconds(2));
    subchannel.connect();
    assertThat(told.getLast()).contains("java.lang.LinkageError");
    shutDown();
    assertThat(channel.overs).isOne();
  }

  @Test
  void aConnectionThatIsLostBeforeItIsReadyHasFailed() {
    FakeConnector.Dial dial = connect();
    dial.opens();
    dial.isGone("reset");
    assertThat(told.getLast()).contains("reset (server1");
  }

  @Test
  void aServerThatDoesNotAnswerIsGivenUp() {
    FakeConnector.Dial dial = connect();
    test.advance(TIMEOUT);
    assertThat(told.getLast()).contains("no answer from server1").contains("within 20 s");
    assertThat(dial.takenBack).isTrue();
    dial.opens(); // too late
    assertThat(dial.transport.shutdowns).isOne();
    dial.then.onReady();
    assertThat(subchannel.transport()).isNull();
  }

  @Test
  void aConnectionWithoutSettingsIsGivenUp() {
    FakeConnector.Dial dial = connect();
    dial.opens();
    test.advance(TIMEOUT);
    assertThat(dial.transport.endings)
        .extracting(Status::toString)
        .containsExactly("UNAVAILABLE: no HTTP/2 SETTINGS within 20 s");
    assertThat(told.getLast()).startsWith("TRANSIENT_FAILURE");
  }

  @Test
  void aBackoffCountsFromTheStartOfTheAttemptAndLeavesASecond() {
    for (int i = 0; i < 9; i++) {
      connect().isRefused();
      test.advance(Duration.ofMinutes(2));
    }
    FakeConnector.Dial slow = connect();
    test.advance(Duration.ofSeconds(50));
    slow.isRefused(); // the tenth time: 68 s, and 20% less or more
    test.advance(Duration.ofSeconds(33));
    assertThat(told.getLast()).isEqualTo("IDLE");
    connect();
    test.advance(Duration.ofMinutes(3));
    assertThat(told.getLast()).isEqualTo("IDLE");
  }

  @Test
  void aResetAlsoShortensTheBackoffAfterAnAttemptUnderWay() {
    for (int i = 0; i < 9; i++) {
      connect().isRefused();
      test.advance(Duration.ofMinutes(2));
    }
    FakeConnector.Dial dial = connect();
    subchannel.resetBackoffInTask();
    dial.isRefused();
    test.advance(Duration.ofMillis(1201));
    assertThat(told.getLast()).isEqualTo("IDLE");
  }

  @Test
  void anAttemptMayLastUntilTheNextOneWouldBegin() {
    for (int i = 0; i < 9; i++) {
      connect().isRefused();
      test.advance(Duration.ofMinutes(2));
    }
    connect();
    test.advance(Duration.ofSeconds(54));
    assertThat(told.getLast()).isEqualTo("CONNECTING");
    test.advance(Duration.ofSeconds(30));
    assertThat(told.get(told.size() - 2)).contains("no answer from server1");
    assertThat(told.getLast()).isEqualTo("IDLE");
  }

  @Test
  void ifTheBackoffTimerIsRefusedItBecomesIdleAtOnce() {
    test.pipes.refused.add(FakePipes.Service.SCHEDULE);
    subchannel.connect();
    assertThat(channel.withoutBackoff).hasSize(1);
    assertThat(told.get(1)).contains("no SCHEDULE");
    assertThat(told.getLast()).isEqualTo("IDLE");
  }

  @Test
  void afterShutdownItEndsWithItsLastConnection() {
    FakeConnector.Dial draining = connect();
    draining.becomesReady();
    draining.goesAway();
    FakeConnector.Dial used = connect();
    used.becomesReady();
    shutDown();
    assertThat(subchannel.transport()).isNull();
    assertThat(draining.transport.shutdowns).isOne();
    assertThat(used.transport.shutdowns).isOne();
    used.isLost();
    assertThat(channel.overs).isZero();
    draining.isGone("done");
    assertThat(channel.overs).isOne();
    assertThat(told).doesNotContain("SHUTDOWN").endsWith("READY");
    subchannel.connect();
    assertThat(test.connector.dials).hasSize(2);
  }

  @Test
  void aShutdownWhileItConnectsEndsItWhenTheAttemptHasEnded() {
    FakeConnector.Dial dial = connect();
    shutDown();
    assertThat(dial.takenBack).isTrue();
    assertThat(channel.overs).isZero();
    dial.then.onNotOpened("taken back");
    assertThat(channel.overs).isOne();
    assertThat(told).containsExactly("CONNECTING");
    assertThat(test.loop.pendingTasks()).isZero();
  }

  @Test
  void aConnectionThatOpensAfterTheShutdownIsClosed() {
    FakeConnector.Dial dial = connect();
    shutDown();
    dial.opens();
    assertThat(dial.transport.shutdowns).isPositive();
    dial.then.onReady();
    assertThat(channel.overs).isZero();
    dial.isGone("closed");
    assertThat(channel.overs).isOne();
  }

  @Test
  void aShutdownDuringItsBackoffEndsItAtOnce() {
    connect().isRefused();
    shutDown();
    assertThat(channel.overs).isOne();
    assertThat(test.loop.pendingTasks()).isZero();
  }

  @Test
  void readinessAndFailureAfterTheShutdownAreIgnored() {
    FakeConnector.Dial dial = connect();
    dial.opens();
    channel.tasks.run(() -> {
      dial.then.onReady(); // decided, and told behind this task
      subchannel.shutdownInTask();
    });
    assertThat(subchannel.transport()).isNull();
    assertThat(told).containsExactly("CONNECTING");
    ManagedSubchannel other = subchannelTold((it, state) -> told.add("other " + state));
    other.connect();
    channel.tasks.run(() -> {
      test.dial().isRefused();
      other.shutdownInTask();
    });
    assertThat(told).endsWith("other CONNECTING");
  }

  @Test
  void callsAreEndedOnAllConnections() {
    FakeConnector.Dial dial = connect();
    dial.becomesReady();
    channel.tasks.run(() -> subchannel.endCallsInTask(Status.ABORTED));
    assertThat(dial.transport.endings).containsExactly(Status.ABORTED);
  }

  @Test
  void aStateListenerMayShutTheSubchannelDown() {
    List<ManagedSubchannel> made = new ArrayList<>();
    made.add(subchannelTold((it, state) -> made.getFirst().shutdownInTask()));
    made.getFirst().connect();
    assertThat(test.connector.dials).isEmpty();
    made.add(
        subchannelTold((it, state) -> {
          if (state.failure().isPresent()) {
            made.getLast().shutdownInTask();
          }
        }));
    made.getLast().connect();
    test.dial().isRefused();
    assertThat(test.loop.pendingTasks()).isZero();
    assertThat(channel.overs).isEqualTo(2);
  }

  @Test
  void faultsAndTooManyPingsAreReportedToTheChannel() {
    test.connections =
        test.connections.with(
            test.connections.keepalive().withTime(TIMEOUT, Duration.ofSeconds(1)));
    SubchannelOwner asking = new SubchannelOwner(test);
    ManagedSubchannel asked =
        new ManagedSubchannel(
            test.settings(),
            asking,
            Runnable::run,
            Endpoint.of(TestResolver.address(1)),
            (it, state) -> {},
            CallTracker.NONE);
    asked.connect();
    FakeConnector.Dial dial = test.dial();
    dial.then.faults().reportAbuse(Offence.PING, dial.address, "an offence");
    FaultReports faults = dial.then.faults();
    faults.reportOfStream(PeerFault.STREAM_VIOLATION, dial.address, "a stream's fault");
    assertThat(asking.health.faults().counts())
        .containsOnlyKeys(PeerFault.ABUSE, PeerFault.STREAM_VIOLATION);
    assertThat(asking.health.faults().offences()).containsOnlyKeys(Offence.PING);
    dial.then.onTooManyPings();
    dial.then.onTooManyPings(); // of the same connection: once is enough
    assertThat(asking.health.connections().keepalive())
        .isEqualTo(test.connections.keepalive().doubled());
    asking.health.onTooManyPings(TransportSettings.OF_CLIENTS.keepalive());
    assertThat(asking.health.connections().keepalive())
        .isEqualTo(test.connections.keepalive().doubled());
  }

  @Test
  void goingAwayIsIgnoredForAConnectionThatNeverOpened() {
    FakeConnector.Dial dial = connect();
    dial.goesAway();
    assertThat(told).containsExactly("CONNECTING");
    dial.then.onTerminated(Status.UNAVAILABLE);
    assertThat(told.getLast()).contains("the connection was closed (server1");
  }
}
