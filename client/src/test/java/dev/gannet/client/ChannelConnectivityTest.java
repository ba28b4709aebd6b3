package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.OutlierDetectionSettings;
import dev.gannet.client.balancer.OutlierDetectionSettings.FailurePercentage;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.balancer.RingHashSettings;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import dev.gannet.transport.NotProcessed;
import dev.gannet.transport.http2.Http2Transport;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What a channel does between its calls: states, idle mode, backoffs that are cut short. */
final class ChannelConnectivityTest {
  private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(30);

  private static final LoadBalancerProvider RING_HASH =
      LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT);

  private final TestChannel test = new TestChannel();
  private final List<ConnectivityState> told = new ArrayList<>();

  private ConnectivityState state() {
    return test.channel().state();
  }

  @Test
  void itConnectsOnRequestWithoutACall() {
    assertThat(test.channel().state(false)).isEqualTo(ConnectivityState.IDLE);
    assertThat(test.connector.dials).isEmpty();
    assertThat(test.channel().state(true)).isEqualTo(ConnectivityState.IDLE);
    assertThat(state()).isEqualTo(ConnectivityState.CONNECTING);
    test.dial().becomesReady();
    assertThat(test.channel().state(true)).isEqualTo(ConnectivityState.READY);
    test.dial().isLost();
    test.channel().connect();
    assertThat(state()).isEqualTo(ConnectivityState.CONNECTING);
    test.channel().connect();
    assertThat(test.connector.dials).hasSize(2);
  }

  static final List<LoadBalancerProvider> CONNECTING_FOR_CALLS =
      List.of(
          RING_HASH,
          LoadBalancerProvider.outlierDetection(
              OutlierDetectionSettings.DEFAULT.with(FailurePercentage.DEFAULT), RING_HASH),
          LoadBalancerProvider.randomSubsetting(2, RING_HASH));

  @ParameterizedTest
  @FieldSource("CONNECTING_FOR_CALLS")
  void aPolicyThatConnectsForCallsConnectsToOneEndpointOnRequest(LoadBalancerProvider policy)
      throws InterruptedException {
    test.policy = policy;
    test.resolver.answer = Optional.of(TestResolver.endpoints(3));
    assertThat(test.channel().awaitReady(Duration.ZERO)).isFalse();
    assertThat(state()).isEqualTo(ConnectivityState.CONNECTING);
    test.channel().connect();
    assertThat(test.connector.dials).hasSize(1);
    test.dial().becomesReady();
    assertThat(test.channel().awaitReady(Duration.ZERO)).isTrue();
    assertThat(test.connector.dials).hasSize(1);
    test.dial().isLost();
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(test.channel().state(true)).isEqualTo(ConnectivityState.IDLE);
    assertThat(test.connector.dials).hasSize(2);
  }

  @Test
  void aRequestedConnectionFollowsTheEndpoints() {
    test.policy = RING_HASH;
    test.channel().connect();
    test.resolver.last().listener.onResult(TestResolver.endpoints(TestResolver.address(2)));
    assertThat(test.dial().address).isEqualTo(TestResolver.address(2));
    test.dial().isRefused();
    test.advance(Duration.ofSeconds(2));
    assertThat(test.connector.dials).hasSize(3);
  }

  @Test
  void aCallConnectsToItsOwnEndpointOnly() {
    test.policy = RING_HASH;
    test.resolver.answer = Optional.of(TestResolver.endpoints(3));
    test.call(CallOptions.DEFAULT.withOption(RingHashSettings.HASH_KEY, "key"));
    assertThat(test.connector.dials).hasSize(1);
  }

  @Test
  void aRequestedConnectionIsTriedUntilItIsReady() {
    test.channel().connect();
    test.dial().isRefused();
    test.advance(Duration.ofSeconds(2));
    assertThat(test.connector.dials).hasSize(2);
    test.dial().isRefused();
    test.advance(Duration.ofSeconds(3));
    assertThat(test.connector.dials).hasSize(3);
    test.dial().becomesReady();
    assertThat(state()).isEqualTo(ConnectivityState.READY);
    test.dial().isLost();
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(test.connector.dials).hasSize(3);
  }

  @Test
  void aRequestedConnectionIsTriedWhileTheResolverFails() {
    test.resolver.answer = Optional.of(TestResolver.failure("no such name"));
    test.channel().connect();
    test.advance(Duration.ofSeconds(2));
    assertThat(test.resolver.last().refreshes).isOne();
    test.resolver.answer = Optional.of(TestResolver.endpoints(1));
    test.advance(Duration.ofSeconds(3));
    test.dial().becomesReady();
    assertThat(state()).isEqualTo(ConnectivityState.READY);
  }

  @Test
  void aRequestedConnectionIsGivenUpAfterTheIdleTimeout() {
    test.idleTimeout = IDLE_TIMEOUT;
    test.resolver.answer = Optional.of(TestResolver.failure("no such name"));
    test.channel().connect();
    test.advance(IDLE_TIMEOUT.plus(IDLE_TIMEOUT.dividedBy(5)));
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(test.loop.pendingTasks()).isZero();
  }

  /** Can never be made. */
  private record Unmakeable() implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "unmakeable";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      throw new IllegalStateException("a bug");
    }
  }

  @Test
  void aRequestedConnectionIsGivenUpAfterTheIdleTimeoutIfThePolicyThrowsToo() {
    Logger log = Logger.getLogger("dev.gannet");
    log.setLevel(Level.OFF);
    try {
      test.idleTimeout = IDLE_TIMEOUT;
      test.policy = new Unmakeable();
      test.channel().connect();
      test.advance(IDLE_TIMEOUT.dividedBy(2));
      assertThat(state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
      test.channel().connect(); // which starts the time again
      test.advance(IDLE_TIMEOUT.minusMinutes(1));
      assertThat(state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
      test.advance(IDLE_TIMEOUT.dividedBy(5));
      assertThat(state()).isEqualTo(ConnectivityState.IDLE);
      assertThat(test.loop.pendingTasks()).isZero();
    } finally {
      log.setLevel(null);
    }
  }

  @Test
  void whoWaitsForAConnectionIsToldWhetherItCame() throws InterruptedException {
    assertThat(test.channel().awaitReady(Duration.ZERO)).isFalse();
    assertThat(state()).isEqualTo(ConnectivityState.CONNECTING);
    test.dial().becomesReady();
    assertThat(test.channel().awaitReady(Duration.ZERO)).isTrue();
    test.channel().shutdownNow();
    assertThat(test.channel().awaitReady(Duration.ofDays(1))).isFalse();
  }

  @Test
  @Timeout(30)
  void aConnectionThatComesWakesWhoWaitsForIt() throws InterruptedException {
    test.channel().connect();
    Thread loop = Thread.ofVirtual().start(() -> test.dial().becomesReady());
    assertThat(test.channel().awaitReady(Duration.ofDays(1))).isTrue();
    loop.join();
  }

  @Test
  void aWatchIsNotifiedOfAllStatesInTheirOrder() {
    Registration watch = test.channel().watchState(told::add);
    List<ConnectivityState> second = new ArrayList<>();
    test.channel().watchState(second::add);
    test.connected();
    test.dial().isLost();
    watch.close();
    test.channel().shutdownNow();
    assertThat(told)
        .containsExactly(
            ConnectivityState.IDLE,
            ConnectivityState.CONNECTING,
            ConnectivityState.READY,
            ConnectivityState.IDLE);
    assertThat(second).hasSize(5).endsWith(ConnectivityState.SHUTDOWN);
  }

  @Test
  void aChannelThatBecomesIdleInABackoffDoesNotAskTheResolverAgain() {
    test.idleTimeout = Duration.ofMillis(500);
    test.resolver.answer = Optional.of(TestResolver.failure("no such name"));
    test.call();
    test.advance(Duration.ofMillis(600)); // the backoff is at least 800 ms
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(test.loop.pendingTasks()).isZero();
  }

  @Test
  void aWatchThatThrowsAffectsNothingElse() {
    test.channel()
        .watchState(state -> {
          throw new IllegalStateException("watching");
        });
    test.channel().watchState(told::add);
    test.connected();
    assertThat(told).endsWith(ConnectivityState.READY);
  }

  @Test
  void afterTheIdleTimeoutItDisconnectsAndTheNextCallConnectsAgain() {
    test.idleTimeout = IDLE_TIMEOUT;
    FakeTransport transport = test.connected();
    test.advance(IDLE_TIMEOUT);
    assertThat(state()).isEqualTo(ConnectivityState.READY);
    test.advance(IDLE_TIMEOUT.dividedBy(5));
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(transport.shutdowns).isOne();
    assertThat(test.resolver.last().shutDown).isTrue();
    assertThat(test.loop.pendingTasks()).isZero();
    TestCall call = test.call();
    assertThat(test.resolver.made).hasSize(2);
    test.dial().becomesReady();
    test.dial().transport.stream().answers("again");
    test.dial().transport.stream().endsWith(Status.OK);
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aLongCallPreventsIdlenessAndItsEndStartsTheIdleTimeout() {
    test.idleTimeout = IDLE_TIMEOUT;
    test.connected();
    TestCall call = test.start(TestChannel.BIDI);
    test.advance(Duration.ofHours(5));
    assertThat(state()).isEqualTo(ConnectivityState.READY);
    call.call.cancel("enough");
    test.advance(IDLE_TIMEOUT.minusSeconds(1));
    assertThat(state()).isEqualTo(ConnectivityState.READY);
    test.advance(IDLE_TIMEOUT.dividedBy(5));
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
  }

  @Test
  void occasionalShortCallsPreventIdleness() {
    test.idleTimeout = IDLE_TIMEOUT;
    FakeTransport transport = test.connected();
    for (int i = 0; i < 20; i++) {
      test.advance(IDLE_TIMEOUT.minusMinutes(1));
      test.call().call.cancel("short");
    }
    assertThat(state()).isEqualTo(ConnectivityState.READY);
    assertThat(transport.shutdowns).isZero();
    test.channel().shutdown();
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.SHUTDOWN);
    test.advance(Duration.ofSeconds(1));
    assertThat(test.loop.pendingTasks()).isZero();
  }

  @Test
  void afterTheIdleTimeoutRoundRobinClosesAllConnections() {
    test.idleTimeout = IDLE_TIMEOUT;
    test.policy = LoadBalancerProvider.roundRobin();
    test.resolver.answer = Optional.of(TestResolver.endpoints(3));
    test.channel().state(true);
    test.connector.dials.forEach(FakeConnector.Dial::becomesReady);
    test.advance(IDLE_TIMEOUT.multipliedBy(2));
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(test.connector.dials).hasSize(3).allMatch(it -> it.transport.shutdowns > 0);
    test.advance(Duration.ofHours(1));
    assertThat(test.connector.dials).hasSize(3);
    test.call();
    assertThat(test.connector.dials).hasSize(6);
  }

  @Test
  void enterIdleTakesBackTheRequestForAConnection() {
    test.policy = new GoesIdle.Provider(() -> test.channel().enterIdle());
    test.channel().connect();
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(test.resolver.made).hasSize(1);
    assertThat(test.resolver.last().shutDown).isTrue();
  }

  /** Publishes IDLE when it has endpoints; something happens before the channel acts on that. */
  private record GoesIdle(Context context, Runnable meanwhile) implements LoadBalancer {
    private record Provider(Runnable meanwhile) implements LoadBalancerProvider {
      @Override
      public String policyName() {
        return "goes_idle";
      }

      @Override
      public LoadBalancer create(LoadBalancer.Context context) {
        return new GoesIdle(context, meanwhile);
      }
    }

    @Override
    public void onResolved(Resolution.Resolved resolved) {
      context.updateState(ConnectivityState.IDLE, Picker.queueing());
      meanwhile.run();
    }

    @Override
    public void onResolutionFailed(Status why) {}

    @Override
    public void exitIdle() {}

    @Override
    public void shutdown() {}
  }

  @Test
  void afterEnterIdleRunningCallsContinueAndWaitingCallsConnectAgain() {
    FakeTransport transport = test.connected();
    TestCall underWay = test.call();
    test.channel().enterIdle();
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(transport.shutdowns).isOne();
    transport.stream().answers("late");
    transport.stream().endsWith(Status.OK);
    assertThat(underWay.status()).isEqualTo(Status.OK);
    test.call();
    test.channel().enterIdle();
    assertThat(state()).isEqualTo(ConnectivityState.CONNECTING);
    test.channel().shutdownNow();
    test.channel().enterIdle();
    assertThat(test.channel().state(true)).isEqualTo(ConnectivityState.SHUTDOWN);
    assertThat(state()).isEqualTo(ConnectivityState.SHUTDOWN);
  }

  @Test
  void afterShutdownItIsShutDownForItsUsersAlthoughACallGoesOn() throws InterruptedException {
    FakeTransport transport = test.connected();
    TestCall call = test.call();
    test.channel().watchState(told::add);
    test.channel().shutdown();
    assertThat(state()).isEqualTo(ConnectivityState.SHUTDOWN);
    assertThat(test.channel().state(true)).isEqualTo(ConnectivityState.SHUTDOWN);
    assertThat(test.channel().snapshot().state()).isEqualTo(ConnectivityState.SHUTDOWN);
    assertThat(test.channel().awaitReady(Duration.ofDays(1))).isFalse();
    transport.stream().answers("late");
    transport.stream().endsWith(Status.OK);
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(told).containsExactly(ConnectivityState.READY, ConnectivityState.SHUTDOWN);
  }

  @Test
  void whoListensAfterShutdownIsToldShutdownOnly() {
    FakeTransport transport = test.connected();
    test.call();
    test.channel().shutdown();
    test.channel().watchState(told::add);
    transport.stream().endsWith(Status.ABORTED);
    test.dial().isGone("done");
    assertThat(test.channel().isTerminated()).isTrue();
    assertThat(told).containsExactly(ConnectivityState.SHUTDOWN);
  }

  @Test
  void afterShutdownOnlyCallsThatWaitConnect() {
    FakeTransport transport = test.connected();
    test.start(TestChannel.BIDI);
    test.channel().enterIdle();
    test.channel().shutdown();
    test.channel().connect();
    test.channel().state(true);
    assertThat(test.connector.dials).hasSize(1);
    transport.stream().isNotProcessed(NotProcessed.REFUSED); // so it moves to another connection
    assertThat(test.connector.dials).hasSize(2);
    test.dial().becomesReady();
    assertThat(test.dial().transport.streams).hasSize(1);
    test.channel().enterIdle();
    assertThat(test.dial().transport.shutdowns).isZero();
    assertThat(state()).isEqualTo(ConnectivityState.SHUTDOWN);
  }

  @Test
  void callsThatWaitAtShutdownConnect() {
    test.channel().connect();
    test.dial().isRefused();
    TestCall patient = test.patientCall();
    test.channel().shutdown();
    test.advance(Duration.ofSeconds(2));
    assertThat(test.connector.dials).hasSize(2);
    FakeTransport transport = test.dial().becomesReady();
    transport.stream().answers("late");
    transport.stream().endsWith(Status.OK);
    assertThat(patient.status()).isEqualTo(Status.OK);
  }

  @Test
  void aBackoffCanBeCutShort() {
    TestCall patient = test.patientCall();
    for (int i = 0; i < 4; i++) {
      test.dial().isRefused();
      test.channel().resetConnectBackoff();
    }
    assertThat(test.connector.dials).hasSize(5);
    test.dial().isRefused();
    test.advance(Duration.ofMillis(1201)); // it is the first backoff again
    assertThat(test.connector.dials).hasSize(6);
    patient.call.cancel("enough");
  }

  @Test
  void aBackoffFromTheResolverCanBeCutShortToo() {
    test.resolver.answer = Optional.of(TestResolver.failure("no such name"));
    TestCall patient = test.patientCall();
    test.resolver.answer = Optional.of(TestResolver.endpoints(1));
    test.channel().resetConnectBackoff();
    assertThat(test.connector.dials).hasSize(1);
    patient.call.cancel("enough");
  }

  @Test
  void theBackoffOfAHealthCheckCanBeCutShortToo() {
    test.policy = LoadBalancerProvider.roundRobin();
    ServiceConfig config = ServiceConfig.builder().healthCheckService("").build();
    test.resolver.answer =
        Optional.of(config.addTo((Resolution.Resolved) TestResolver.endpoints(1)));
    test.channel().connect();
    FakeTransport transport = test.dial().becomesReady();
    transport.stream().endsWith(Status.UNAVAILABLE);
    assertThat(transport.streams).hasSize(1);
    test.channel().resetConnectBackoff();
    assertThat(transport.streams).hasSize(2);
  }

  @Test
  void theIdleTimeoutIsChecked() {
    assertThatThrownBy(() -> ManagedChannel.builder("a:1").idleTimeout(Duration.ZERO))
        .hasMessageContaining("idleTimeout");
    ManagedChannel.builder("a:1")
        .idleTimeout(ChronoUnit.FOREVER.getDuration())
        .idleTimeout(Duration.ofNanos(1));
  }

  @Test
  @Timeout(60)
  void theLogSaysWhereAForgottenChannelWasCreated() throws InterruptedException {
    Logger logger = Logger.getLogger(ForgottenChannel.class.getName());
    Told log = new Told("192.0.2.77");
    logger.addHandler(log);
    try {
      do { // channels of other tests may have used up the lines
        makeAndForget();
        System.gc();
      } while (!log.told.await(100, TimeUnit.MILLISECONDS));
    } finally {
      logger.removeHandler(log);
    }
    assertThat(log.thrown.get().getStackTrace())
        .anyMatch(it -> it.getMethodName().equals("makeAndForget"));
  }

  /** The policy is notified in one of the channel's tasks, and further ones wait for its end. */
  @Test
  void aListenerThatIsClosedBeforeItsTurnIsForgotten() {
    List<WeakReference<?>> closed = new ArrayList<>();
    test.policy = new GoesIdle.Provider(() -> closed.add(watchAndClose()));
    test.channel().connect();
    for (int i = 0; i < 20 && closed.getFirst().get() != null; i++) {
      System.gc();
    }
    assertThat(closed.getFirst().get()).isNull();
    assertThat(told).isEmpty();
  }

  private WeakReference<?> watchAndClose() {
    Consumer<ConnectivityState> listener = told::add;
    test.channel().watchState(listener).close();
    return new WeakReference<>(listener);
  }

  private static void makeAndForget() {
    ManagedChannel.builder("ipv4:192.0.2.77:1")
        .plaintext()
        .transport(Http2Transport.over(new FakePipes()))
        .build();
  }

  /** A resolver that knows the channel that it serves. */
  private static final class Acquainted implements NameResolverProvider {
    private @Nullable ManagedChannel channel;

    @Override
    public String scheme() {
      return "acquainted";
    }

    @Override
    public NameResolver create(Target target, NameResolver.Context context) {
      throw new AssertionError("nobody asks it to resolve for " + channel);
    }
  }

  private static WeakReference<ManagedChannel> makeAndClose() {
    Acquainted resolver = new Acquainted();
    ManagedChannel made =
        ManagedChannel.builder("acquainted:name")
            .addNameResolver(resolver)
            .plaintext()
            .transport(Http2Transport.over(new FakePipes()))
            .build();
    resolver.channel = made;
    made.close();
    return new WeakReference<>(made);
  }

  @Test
  @Timeout(60)
  void aClosedChannelIsGarbageCollectedEvenIfItsResolverRefersToIt() {
    WeakReference<ManagedChannel> closed = makeAndClose();
    while (closed.get() != null) {
      System.gc();
    }
  }

  /** Waits for a log entry. */
  private static final class Told extends Handler {
    private final String text;
    private final CountDownLatch told = new CountDownLatch(1);
    private final AtomicReference<Throwable> thrown = new AtomicReference<>(new Throwable());

    Told(String text) {
      this.text = text;
    }

    @Override
    public void publish(LogRecord entry) {
      if (entry.getMessage().contains(text)) {
        thrown.set(entry.getThrown());
        told.countDown();
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** It may take a while to close, for which calls and other addresses do not wait. */
  @Test
  void aConnectionThatGoesAwayBeforeItIsReadyHasFailedBeforeItIsClosed() {
    TestCall call = test.call();
    test.dial().opens();
    test.dial().goesAway();
    assertThat(call.status().toString()).contains("UNAVAILABLE", "(GOAWAY)");
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    test.dial().isGone("late");
    assertThat(test.connector.dials).hasSize(1);
  }
}
