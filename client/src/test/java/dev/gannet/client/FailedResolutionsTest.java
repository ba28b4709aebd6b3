package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.resolver.Resolution;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A channel with a connection, whose resolver fails to bring newer endpoints. */
final class FailedResolutionsTest {
  /** The longest first backoff, and a little more. */
  private static final Duration FIRST_BACKOFF = Duration.ofMillis(1201);

  /** That of the second. */
  private static final Duration SECOND_BACKOFF = Duration.ofMillis(1921);

  private static final Duration LONG = Duration.ofHours(1);

  private final TestChannel test = new TestChannel();

  @BeforeEach
  void connectsAndFailsToResolve() {
    test.connected();
    test.resolver.answer = Optional.of(TestResolver.failure("no DNS"));
    resolverSays("no DNS");
    assertReady();
  }

  private void resolverSays(String failure) {
    test.resolver.last().listener.onResult(TestResolver.failure(failure));
  }

  private int refreshes() {
    return test.resolver.last().refreshes;
  }

  private void assertReady() {
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.READY);
    assertThat(test.connector.dials).hasSize(1);
  }

  @Test
  void theResolverIsAskedAgainAfterEachBackoff() {
    assertThat(refreshes()).isZero();
    test.advance(FIRST_BACKOFF);
    assertThat(refreshes()).isOne();
    test.advance(Duration.ofSeconds(1));
    assertThat(refreshes()).isOne();
    test.advance(SECOND_BACKOFF);
    assertThat(refreshes()).isEqualTo(2);
    assertReady();
  }

  @Test
  void anAnswerEndsTheBackoffAndStartsItAnew() {
    test.advance(FIRST_BACKOFF);
    test.resolver.last().listener.onResult(TestResolver.endpoints(1));
    test.advance(LONG);
    assertThat(refreshes()).isOne();
    resolverSays("no DNS again");
    test.advance(FIRST_BACKOFF);
    assertThat(refreshes()).isEqualTo(2);
    assertReady();
  }

  @Test
  void anEmptyAnswerIsAFailureIfThePolicyKeepsItsEndpoints() {
    TestChannel other = new TestChannel();
    other.policy = new EveryAddressInTurn.Found();
    other.connected();
    other.resolver.answer = Optional.empty();
    other.resolver.last().listener.onResult(TestResolver.endpoints(0));
    assertThat(other.channel().state()).isEqualTo(ConnectivityState.READY);
    other.advance(FIRST_BACKOFF);
    assertThat(other.resolver.last().refreshes).isOne();
  }

  @Test
  void furtherFailuresBeforeTheEndOfTheBackoffDoNotChangeIt() {
    resolverSays("no DNS either");
    resolverSays("still no DNS");
    test.advance(FIRST_BACKOFF);
    assertThat(refreshes()).isOne();
  }

  @Test
  void aRequestOfThePolicyDoesNotCutTheBackoffShort() {
    test.dial().isLost();
    assertThat(refreshes()).isZero();
    test.advance(FIRST_BACKOFF);
    assertThat(refreshes()).isOne();
  }

  @Test
  void meanwhileCallsFailSoonAfterTheKnownAddressesHaveFailed() {
    test.dial().isLost();
    TestCall call = test.call();
    test.dial().isRefused();
    test.advance(Duration.ofMillis(100)); // since the policy was last told
    assertThat(call.text()).startsWith("cannot connect to test:///name: connection refused");
    assertThat(refreshes()).isZero();
  }

  @Test
  void manyDeadEndpointsCauseOneResolutionForEachBackoff() {
    TestChannel other = new TestChannel();
    other.policy = LoadBalancerProvider.roundRobin();
    other.connector.refusesAtOnce = true;
    other.resolver.answer = Optional.of(TestResolver.endpoints(100));
    other.patientCall();
    other.resolver.answer = Optional.of(TestResolver.failure("no DNS"));
    other.resolver.last().listener.onResult(TestResolver.failure("no DNS"));
    int before = other.resolver.last().refreshes;
    other.advance(FIRST_BACKOFF);
    assertThat(other.connector.dials).hasSizeGreaterThan(100);
    assertThat(other.resolver.last().refreshes).isEqualTo(before + 1);
    other.advance(SECOND_BACKOFF);
    assertThat(other.resolver.last().refreshes).isEqualTo(before + 2);
  }

  @Test
  void aPolicyThatAsksAtEachFailureIsToldOfItOnceMore() {
    AtomicInteger told = new AtomicInteger();
    TestChannel other = new TestChannel();
    other.policy = new Insistent.Provider(told, Asking.AT_ONCE);
    other.resolver.answer = Optional.empty();
    other.call();
    other.resolver.last().listener.onResult(TestResolver.failure("no DNS"));
    assertThat(told).hasValue(2);
    other.advance(Duration.ofMillis(790)); // the shortest first backoff is 800 ms
    assertThat(told).hasValue(2);
    assertThat(other.resolver.last().refreshes).isZero();
  }

  @Test
  @Timeout(60)
  void aPolicyThatAsksAfterEachFailureIsToldOfItTenTimesPerSecond() {
    AtomicInteger told = new AtomicInteger();
    TestChannel other = new TestChannel();
    other.policy = new Insistent.Provider(told, Asking.AFTERWARDS);
    other.resolver.answer = Optional.empty();
    other.call();
    other.resolver.last().listener.onResult(TestResolver.failure("no DNS"));
    assertThat(told).hasValue(2);
    other.advance(Duration.ofMillis(790));
    assertThat(told).hasValue(2 + 7);
    assertThat(other.resolver.last().refreshes).isZero();
  }

  private enum Asking {
    AT_ONCE,
    AFTERWARDS
  }

  /** Asks for another resolution when one has failed. */
  private record Insistent(Context context, AtomicInteger told, Asking asking)
      implements LoadBalancer {
    private record Provider(AtomicInteger told, Asking asking) implements LoadBalancerProvider {
      @Override
      public String policyName() {
        return "insistent";
      }

      @Override
      public LoadBalancer create(LoadBalancer.Context context) {
        return new Insistent(context, told, asking);
      }
    }

    @Override
    public void onResolved(Resolution.Resolved resolved) {}

    @Override
    public void onResolutionFailed(Status why) {
      told.incrementAndGet();
      switch (asking) {
        case AT_ONCE -> context.refreshNameResolution();
        case AFTERWARDS -> context.execute(context::refreshNameResolution);
      }
    }

    @Override
    public void exitIdle() {}

    @Override
    public void shutdown() {}
  }

  @Test
  void newEndpointsAreUsedWithoutALossOfConnections() {
    test.resolver.answer = Optional.of(TestResolver.endpoints(2));
    test.advance(FIRST_BACKOFF);
    assertThat(refreshes()).isOne();
    assertReady();
  }

  @Test
  void endpointsThatAreGoneEndTheBackoff() {
    test.resolver.answer = Optional.empty();
    test.resolver.last().listener.onResult(TestResolver.endpoints(0));
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    test.advance(FIRST_BACKOFF); // not the second: the first one delayed no call
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(refreshes()).isZero();
  }

  @Test
  void theNextFailureWithoutEndpointsWaitsForAFirstBackoff() {
    test.advance(Duration.ofMinutes(10));
    test.channel().enterIdle();
    TestCall patient = test.patientCall();
    assertThat(refreshes()).isZero(); // of the next resolver, which has failed
    test.advance(FIRST_BACKOFF);
    assertThat(refreshes()).isOne();
    assertThat(patient.isOver()).isFalse();
  }

  @Test
  void theEventsOfTheChannelShowWhenTheResolverWorksAgain() {
    test.advance(FIRST_BACKOFF);
    test.resolver.last().listener.onResult(TestResolver.endpoints(2));
    test.resolver.last().listener.onResult(TestResolver.endpoints(2));
    assertThat(events())
        .containsSubsequence("resolution failed: UNAVAILABLE: no DNS", "2 endpoints resolved")
        .containsOnlyOnce("2 endpoints resolved");
  }

  private List<String> events() {
    return test.channel().snapshot().trace().events().stream()
        .map(ChannelEvent::description)
        .toList();
  }

  @Test
  void anIdleChannelDoesNotAsk() {
    test.channel().enterIdle();
    test.advance(LONG);
    assertThat(test.resolver.made).hasSize(1);
    assertThat(refreshes()).isZero();
  }

  @Test
  void theUserCanCutTheBackoffShort() {
    test.channel().resetConnectBackoff();
    assertThat(refreshes()).isOne();
    assertReady();
  }

  @Test
  void ifTheTimerIsRefusedTheConnectionIsKept() {
    test.resolver.last().listener.onResult(TestResolver.endpoints(1));
    test.pipes.refused.add(FakePipes.Service.SCHEDULE);
    resolverSays("no DNS, no memory");
    test.pipes.refused.clear();
    test.advance(LONG);
    assertThat(refreshes()).isZero();
    assertReady();
  }
}
