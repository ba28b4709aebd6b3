package dev.gannet.client;

import static dev.gannet.client.TestChannel.endsWell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.OutlierDetectionSettings;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Resolution;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A service config that brings another policy costs no call. */
final class PolicySwitchTest {
  private static final LoadBalancerProvider ROUND_ROBIN = LoadBalancerProvider.roundRobin();

  private final TestChannel test = new TestChannel();

  private void resolverSays(LoadBalancerProvider policy) {
    Resolution says =
        ServiceConfig.builder()
            .loadBalancer(policy)
            .build()
            .addTo((Resolution.Resolved) TestResolver.endpoints(2));
    test.resolver.answer = Optional.of(says);
    if (!test.connector.dials.isEmpty()) {
      test.resolver.last().listener.onResult(says);
    }
  }

  /** By {@code pick_first}, over the first dial. */
  private FakeTransport connected() {
    resolverSays(LoadBalancerProvider.pickFirst());
    FakeTransport transport = test.connected();
    assertThat(test.connector.dials).hasSize(1);
    return transport;
  }

  private ConnectivityState state() {
    return test.channel().state(false);
  }

  @Test
  void callsGoByTheOldPolicyUntilTheNewOneHasAConnection() {
    FakeTransport old = connected();
    resolverSays(ROUND_ROBIN);
    assertThat(test.connector.dials).hasSize(3);
    assertThat(state()).isEqualTo(ConnectivityState.READY);
    endsWell(old, test.call());
    assertThat(old.shutdowns).isZero();

    FakeTransport made = test.dial(1).becomesReady();
    assertThat(old.shutdowns).isEqualTo(1);
    assertThat(state()).isEqualTo(ConnectivityState.READY);
    endsWell(made, test.call());
  }

  @Test
  void theOldPolicyUsesAllItsConnectionsUntilTheNewOneIsReady() {
    resolverSays(ROUND_ROBIN);
    test.call();
    FakeTransport first = test.dial(0).becomesReady();
    resolverSays(LoadBalancerProvider.leastRequest(2));
    FakeTransport second = test.dial(1).becomesReady();
    int before = second.streams.size();
    test.call();
    test.call();
    assertThat(second.streams.size() - before).isOne();
    test.channel().enterIdle();
    assertThat(first.shutdowns).isPositive();
    assertThat(test.dial(2).takenBack).isTrue();
  }

  @Test
  void aCallUnderWayEndsOnItsConnection() {
    FakeTransport old = connected();
    TestCall call = test.call();
    resolverSays(ROUND_ROBIN);
    test.dial(2).becomesReady();
    endsWell(old, call);
  }

  @Test
  void anOldPolicyThatLosesItsConnectionIsReplacedAtOnce() {
    connected();
    resolverSays(ROUND_ROBIN);
    test.dial(0).isLost();
    assertThat(state()).isEqualTo(ConnectivityState.CONNECTING);
    TestCall waiting = test.call();
    assertThat(waiting.isOver()).isFalse();
    endsWell(test.dial(1).becomesReady(), waiting);
  }

  @Test
  void aNewPolicyThatCannotConnectReplacesTheOldOneAsWell() {
    FakeTransport old = connected();
    resolverSays(ROUND_ROBIN);
    test.dial(1).isRefused();
    endsWell(old, test.call());
    test.dial(2).isRefused();
    assertThat(state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    assertThat(test.call().status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(old.shutdowns).isEqualTo(1);
  }

  @Test
  void ifTheOldConfigReturnsTheOldPolicyStays() {
    FakeTransport old = connected();
    resolverSays(ROUND_ROBIN);
    resolverSays(LoadBalancerProvider.pickFirst());
    assertThat(test.dial(1).takenBack).isTrue();
    assertThat(test.dial(2).takenBack).isTrue();
    endsWell(old, test.call());
    assertThat(old.shutdowns).isZero();
  }

  @Test
  void aThirdPolicyReplacesTheSecond() {
    FakeTransport old = connected();
    resolverSays(ROUND_ROBIN);
    resolverSays(LoadBalancerProvider.leastRequest(2));
    assertThat(test.dial(1).takenBack).isTrue();
    assertThat(test.connector.dials).hasSize(5);
    resolverSays(LoadBalancerProvider.leastRequest(2));
    assertThat(test.connector.dials).hasSize(5);
    endsWell(old, test.call());
    endsWell(test.dial(3).becomesReady(), test.call());
    assertThat(old.shutdowns).isEqualTo(1);
  }

  @Test
  void anOldPolicyWithoutAConnectionIsReplacedAtOnce() {
    resolverSays(LoadBalancerProvider.pickFirst());
    TestCall waiting = test.call();
    assertThat(test.connector.dials).hasSize(1);
    resolverSays(ROUND_ROBIN);
    assertThat(test.dial(0).takenBack).isTrue();
    endsWell(test.dial(1).becomesReady(), waiting);
  }

  /** Cannot be made, or throws at what it is told. */
  private record Broken(boolean made) implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "broken";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      if (!made) {
        throw new IllegalStateException("cannot be made");
      }
      return new PolicyOfEndpoints() {
        @Override
        public void onResolved(Resolution.Resolved resolved) {
          throw new IllegalStateException("cannot be told");
        }
      };
    }
  }

  private static LoadBalancerProvider outliers(int seconds) {
    return LoadBalancerProvider.outlierDetection(
        OutlierDetectionSettings.DEFAULT.withInterval(Duration.ofSeconds(seconds)), ROUND_ROBIN);
  }

  @Test
  void otherSettingsOfThePolicyCostNoConnection() {
    resolverSays(outliers(10));
    test.call();
    FakeTransport transport = test.dial(0).becomesReady();
    for (int seconds : List.of(11, 12, 12)) {
      resolverSays(outliers(seconds));
      assertThat(test.connector.dials).hasSize(2);
    }
    resolverSays(ROUND_ROBIN);
    assertThat(test.connector.dials).hasSize(4);
    resolverSays(outliers(13)); // the old policy returns
    assertThat(test.dial(2).takenBack).isTrue();
    assertThat(transport.shutdowns).isZero();
  }

  /** Throws when it is given other settings. */
  private record Brittle(int number) implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "brittle";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      LoadBalancer policy = LoadBalancerProvider.pickFirst().create(context);
      return new PolicyOfEndpoints() {
        @Override
        public boolean onConfig(LoadBalancerProvider config) {
          throw new IllegalStateException("cannot take " + config);
        }

        @Override
        public void onResolved(Resolution.Resolved resolved) {
          policy.onResolved(resolved);
        }

        @Override
        public void shutdown() {
          policy.shutdown();
        }
      };
    }
  }

  @Test
  @ExtendWith(QuietLog.class)
  void aPolicyThatThrowsAtNewSettingsIsDiscarded() {
    resolverSays(new Brittle(1));
    FakeTransport transport = test.connected();
    resolverSays(new Brittle(2));
    assertThat(transport.shutdowns).isPositive();
    assertThat(test.call().status().toString()).contains("cannot take Brittle[number=2]");
  }

  @Test
  @ExtendWith(QuietLog.class)
  void aNewPolicyThatThrowsAtNewSettingsIsMadeAgain() {
    FakeTransport old = connected();
    resolverSays(new Brittle(1));
    assertThat(test.connector.dials).hasSize(2);
    resolverSays(new Brittle(2));
    assertThat(test.dial(1).takenBack).isTrue();
    endsWell(old, test.call());
    endsWell(test.dial(2).becomesReady(), test.call());
  }

  @Test
  @ExtendWith(QuietLog.class)
  void ifANewPolicyThrowsTheOldOneStays() {
    FakeTransport old = connected();
    for (boolean made : List.of(true, false)) {
      resolverSays(new Broken(made));
      assertThat(state()).isEqualTo(ConnectivityState.READY);
      endsWell(old, test.call());
    }
    resolverSays(ROUND_ROBIN);
    endsWell(test.dial(1).becomesReady(), test.call());
  }

  @Test
  void aChannelThatIsShutDownEndsBoth() {
    FakeTransport old = connected();
    resolverSays(ROUND_ROBIN);
    test.channel().shutdown();
    assertThat(test.dial(1).takenBack).isTrue();
    assertThat(old.shutdowns).isEqualTo(1);
    assertThat(test.channel().isTerminated()).isFalse();
    test.dial(0).isGone("closed");
    test.dial(1).isRefused();
    test.dial(2).isRefused();
    assertThat(test.channel().isTerminated()).isTrue();
  }
}
