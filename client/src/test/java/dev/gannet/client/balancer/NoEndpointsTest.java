package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.client.FakeConnector;
import dev.gannet.client.FakeStream;
import dev.gannet.client.FakeTransport;
import dev.gannet.client.TestCall;
import dev.gannet.client.TestChannel;
import dev.gannet.client.TestResolver;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Resolution;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** A resolver that finds no endpoints withdraws those that it has found before. */
final class NoEndpointsTest {
  private static final String BUILT_IN = "dev.gannet.client.balancer.ChildPoliciesTest#BUILT_IN";
  private static final Resolution NONE = Resolution.of(List.of());
  private static final Duration BACKOFF = Duration.ofMillis(1201);
  private static final String WHY =
      "cannot connect to test:///name: the resolver for 'test' found no endpoints";

  private final TestChannel test = new TestChannel();

  @AfterEach
  void aChannelEnds() {
    test.channel().shutdownNow();
  }

  private ConnectivityState state() {
    return test.channel().state();
  }

  private void resolverSays(Resolution result) {
    test.resolver.answer = Optional.of(result);
    test.resolver.last().listener.onResult(result);
  }

  private void assertFails(TestCall call) {
    assertThat(call.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.text()).isEqualTo(WHY);
  }

  /** Connects by a first call, which ends. */
  private FakeTransport connected() {
    TestCall first = test.call();
    FakeTransport transport = test.dial().becomesReady();
    endsWell(streamOn(transport), first);
    return transport;
  }

  /** That of the last call; a policy may have opened streams of its own. */
  private static FakeStream<?> streamOn(FakeTransport transport) {
    return transport.streams.stream()
        .filter(it -> it.start.method().equals(TestChannel.UNARY))
        .reduce((one, later) -> later)
        .orElseThrow();
  }

  private static void endsWell(FakeStream<?> stream, TestCall call) {
    stream.answers("response");
    stream.endsWith(Status.OK);
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @ParameterizedTest
  @FieldSource(BUILT_IN)
  void newCallsFailAndRunningOnesEndOnTheirConnection(LoadBalancerProvider provider) {
    test.policy = provider;
    FakeTransport transport = connected();
    TestCall running = test.call();
    FakeStream<?> stream = streamOn(transport);
    resolverSays(NONE);
    assertThat(state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    assertFails(test.call());
    assertThat(transport.shutdowns).isOne();
    assertThat(transport.endings).isEmpty();
    endsWell(stream, running);
  }

  @ParameterizedTest
  @FieldSource(BUILT_IN)
  void aConnectionAttemptIsTakenBackAndItsCallsFail(LoadBalancerProvider provider) {
    test.policy = provider;
    TestCall waiting = test.call();
    TestCall patient = test.patientCall();
    resolverSays(NONE);
    assertThat(test.connector.dials).hasSize(1);
    assertThat(test.dial().takenBack).isTrue();
    assertFails(waiting);
    assertThat(patient.isOver()).isFalse();
  }

  @ParameterizedTest
  @FieldSource(BUILT_IN)
  void theResolverIsAskedAgainWhileCallsNeedIt(LoadBalancerProvider provider) {
    test.policy = provider;
    connected();
    resolverSays(NONE);
    TestCall patient = test.patientCall();
    test.advance(BACKOFF);
    assertThat(test.resolver.last().refreshes).isOne();
    test.advance(BACKOFF); // the second backoff takes longer
    assertThat(test.resolver.last().refreshes).isOne();
    test.resolver.answer = Optional.of(TestResolver.endpoints(1));
    test.advance(BACKOFF);
    assertThat(test.resolver.last().refreshes).isEqualTo(2);
    assertThat(test.connector.dials).hasSize(2);
    FakeTransport transport = test.dial().becomesReady();
    assertThat(state()).isEqualTo(ConnectivityState.READY);
    endsWell(streamOn(transport), patient);
  }

  @ParameterizedTest
  @FieldSource(BUILT_IN)
  void aResultWithEndpointsServesAgain(LoadBalancerProvider provider) {
    test.policy = provider;
    FakeTransport before = connected();
    resolverSays(NONE);
    resolverSays(TestResolver.endpoints(1));
    TestCall call = test.call();
    if (call.isOver()) { // a lone pick_first fails calls until it is connected (gRFC A62)
      assertFails(call);
    }
    TestCall patient = test.patientCall();
    FakeTransport transport = test.dial().becomesReady();
    assertThat(transport).isNotSameAs(before);
    endsWell(streamOn(transport), patient);
    test.advance(BACKOFF);
    assertThat(test.resolver.last().refreshes).isZero();
  }

  @ParameterizedTest
  @FieldSource(BUILT_IN)
  void theChannelIsIdleAfterTheBackoffIfNoCallNeedsIt(LoadBalancerProvider provider) {
    test.policy = provider;
    connected();
    resolverSays(NONE);
    resolverSays(NONE);
    resolverSays(TestResolver.failure("later"));
    assertThat(state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    test.advance(BACKOFF);
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(test.loop.pendingTasks()).isZero();
    test.resolver.answer = Optional.of(TestResolver.endpoints(1));
    TestCall call = test.call();
    endsWell(streamOn(test.dial().becomesReady()), call);
  }

  @Test
  void callsThatFailedWhileThereWereEndpointsDoNotKeepItFromBeingIdle() {
    TestCall first = test.call();
    test.dial().isRefused();
    assertThat(first.isOver()).isTrue();
    assertThat(test.call().isOver()).isTrue();
    assertThat(test.resolver.last().refreshes).isOne(); // because the attempt has failed
    resolverSays(NONE);
    test.advance(BACKOFF);
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(test.resolver.last().refreshes).isOne();
  }

  @ParameterizedTest
  @FieldSource(BUILT_IN)
  void theFirstResultMayBeWithoutEndpoints(LoadBalancerProvider provider) {
    test.policy = provider;
    test.resolver.answer = Optional.of(NONE);
    assertFails(test.call());
    assertFails(test.call());
    test.resolver.answer = Optional.of(TestResolver.endpoints(1));
    test.advance(BACKOFF);
    TestCall patient = test.patientCall();
    endsWell(streamOn(test.dial().becomesReady()), patient);
  }

  @ParameterizedTest
  @FieldSource(BUILT_IN)
  void aFailureToResolveWithdrawsNothing(LoadBalancerProvider provider) {
    test.policy = provider;
    FakeTransport transport = connected();
    resolverSays(TestResolver.failure("unknown host"));
    TestCall call = test.call();
    endsWell(streamOn(transport), call);
    assertThat(transport.shutdowns).isZero();
  }

  /** A parent written without knowledge of results without endpoints. */
  private record Unaware(LoadBalancerProvider child, List<String> heard)
      implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "unaware";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      LoadBalancer policy = child.create(context);
      return new LoadBalancer() {
        @Override
        public void onResolved(Resolution.Resolved resolved) {
          policy.onResolved(resolved);
        }

        @Override
        public void onResolutionFailed(Status why) {
          heard.add(why.description().orElse(""));
          policy.onResolutionFailed(why);
        }

        @Override
        public void exitIdle() {
          policy.exitIdle();
        }

        @Override
        public void shutdown() {
          policy.shutdown();
        }
      };
    }
  }

  @ParameterizedTest
  @FieldSource(BUILT_IN)
  void aPolicyThatDoesNotKnowThisSeesAFailureAndKeepsItsConnections(LoadBalancerProvider child) {
    List<String> heard = new ArrayList<>();
    test.policy = new Unaware(child, heard);
    FakeTransport transport = connected();
    resolverSays(NONE);
    assertThat(heard).containsExactly("the resolver for 'test' found no endpoints");
    test.advance(BACKOFF);
    assertThat(state()).isEqualTo(ConnectivityState.READY);
    assertThat(test.resolver.last().refreshes).isOne();
    TestCall call = test.call();
    endsWell(streamOn(transport), call);
  }

  // While a policy replaces another.

  private void resolverBrings(LoadBalancerProvider policy) {
    resolverSays(
        ServiceConfig.builder()
            .loadBalancer(policy)
            .build()
            .addTo((Resolution.Resolved) TestResolver.endpoints(2)));
  }

  @Test
  void bothPoliciesGiveTheirEndpointsUp() {
    FakeTransport old = connected();
    resolverBrings(LoadBalancerProvider.roundRobin());
    resolverSays(NONE);
    assertFails(test.call());
    assertThat(old.shutdowns).isPositive();
    assertThat(test.connector.dials.stream().skip(1)).allMatch(it -> it.takenBack);
    test.advance(BACKOFF);
    assertThat(test.resolver.last().refreshes).isOne();
  }

  @Test
  void aNewPolicyThatKeepsItsEndpointsReplacesTheOneThatGivesThemUp() {
    FakeTransport old = connected();
    resolverBrings(new Unaware(LoadBalancerProvider.roundRobin(), new ArrayList<>()));
    resolverSays(NONE);
    assertThat(old.shutdowns).isPositive();
    assertThat(state()).isEqualTo(ConnectivityState.CONNECTING);
    TestCall call = test.call();
    FakeConnector.Dial dial = test.connector.dials.get(1);
    endsWell(streamOn(dial.becomesReady()), call);
    test.advance(BACKOFF);
    assertThat(state()).isEqualTo(ConnectivityState.READY);
  }
}
