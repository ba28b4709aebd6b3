package dev.gannet.client;

import static dev.gannet.client.TestChannel.endsWell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.balancer.SubchannelState;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * If the policy that is to replace another one fails, the old one goes on with what only the new
 * one was told.
 */
@ExtendWith(QuietLog.class)
final class FailedPolicySwitchTest {
  private final TestChannel test = new TestChannel();

  /** What the old policy was told. */
  private final List<String> told = new ArrayList<>();

  /** Looks at what the old policy is told before it is. */
  private Consumer<String> atOldPolicy = event -> {};

  /** What the new policy does with endpoints. */
  private Consumer<LoadBalancer.Context> atEndpoints = context -> {};

  /** What the new policy does when the target has no endpoints. */
  private Runnable atNoEndpoints = () -> {};

  /** {@code round_robin} that keeps its endpoints if the target has none any more. */
  private final class Old implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "old";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      LoadBalancer policy = LoadBalancerProvider.roundRobin().create(context);
      return new LoadBalancer() {
        @Override
        public void onResolved(Resolution.Resolved resolved) {
          tell(hosts(resolved));
          policy.onResolved(resolved);
        }

        @Override
        public void onResolutionFailed(Status why) {
          tell("failed");
          policy.onResolutionFailed(why);
        }

        @Override
        public boolean onNoEndpoints(Status why) {
          tell("none");
          return false;
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

    private static String hosts(Resolution.Resolved resolved) {
      return resolved.endpoints().stream()
          .map(it -> it.onlyAddress().toString().replaceAll("\\D*(\\d+)/.*", "$1"))
          .collect(Collectors.joining(" "));
    }

    private void tell(String event) {
      told.add(event);
      atOldPolicy.accept(event);
    }
  }

  private enum CreateResult {
    MADE,
    NOT_MADE
  }

  /** One with such a number, which takes no settings of another number. */
  private record Settings(int number, CreateResult result) {}

  private final class New implements LoadBalancerProvider {
    private final Settings settings;

    New(int number, CreateResult result) {
      this.settings = new Settings(number, result);
    }

    @Override
    public String policyName() {
      return "new";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      if (settings.result() == CreateResult.NOT_MADE) {
        throw new IllegalStateException("cannot be made");
      }
      return new PolicyOfEndpoints() {
        @Override
        public boolean onConfig(LoadBalancerProvider config) {
          throw new IllegalStateException("cannot take other settings");
        }

        @Override
        public void onResolved(Resolution.Resolved resolved) {
          atEndpoints.accept(context);
        }

        @Override
        public boolean onNoEndpoints(Status why) {
          atNoEndpoints.run();
          return false;
        }
      };
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof New that && that.settings.equals(settings);
    }

    @Override
    public int hashCode() {
      return settings.hashCode();
    }
  }

  private final LoadBalancerProvider old = new Old();

  private LoadBalancerProvider next() {
    return new New(1, CreateResult.MADE);
  }

  private static Resolution result(LoadBalancerProvider policy, int... hosts) {
    List<Endpoint> endpoints =
        Arrays.stream(hosts).mapToObj(it -> Endpoint.of(TestResolver.address(it))).toList();
    return ServiceConfig.builder().loadBalancer(policy).build().addTo(Resolution.of(endpoints));
  }

  private void resolverSays(LoadBalancerProvider policy, int... hosts) {
    resolverSays(result(policy, hosts));
  }

  private void resolverSays(Resolution says) {
    test.resolver.answer = Optional.of(says);
    test.resolver.last().listener.onResult(says);
  }

  /** By the old policy, to the hosts 1 and 2. */
  private void connected() {
    test.resolver.answer = Optional.of(result(old, 1, 2));
    TestCall first = test.call();
    FakeTransport transport = test.dial(0).becomesReady();
    test.dial(1).becomesReady();
    endsWell(transport, first);
    told.clear();
  }

  private List<Object> dialled() {
    return test.connector.dials.stream().<Object>map(it -> it.address).toList();
  }

  private ConnectivityState state() {
    return test.channel().state();
  }

  private void throwAtEndpoints() {
    atEndpoints =
        context -> {
          throw new IllegalStateException("cannot be told");
        };
  }

  /** The calls go to the hosts 3 and 4, and those before are not needed any more. */
  private void usesNewEndpoints() {
    assertThat(told).containsExactly("3 4");
    assertThat(dialled().subList(2, 4))
        .containsExactly(TestResolver.address(3), TestResolver.address(4));
    FakeTransport third = test.dial(2).becomesReady();
    test.dial(0).isLost();
    test.dial(1).isLost();
    assertThat(state()).isEqualTo(ConnectivityState.READY);
    endsWell(third, test.call());
  }

  @Test
  void ifTheNewPolicyThrowsAtTheEndpointsTheOldOneUsesThem() {
    connected();
    throwAtEndpoints();
    resolverSays(next(), 3, 4);
    usesNewEndpoints();
  }

  @Test
  void ifTheNewPolicyCannotBeMadeTheOldOneGetsTheEndpointsOnce() {
    connected();
    resolverSays(new New(1, CreateResult.NOT_MADE), 3, 4);
    usesNewEndpoints();
  }

  @Test
  void ifTheNewPolicyThrowsWhenItsConnectionFailsTheOldOneUsesTheEndpoints() {
    connected();
    atEndpoints =
        context ->
            context
                .createSubchannel(Endpoint.of(TestResolver.address(5)), this::throwAtFailure)
                .connect();
    resolverSays(next(), 3, 4);
    assertThat(told).isEmpty();
    test.dial(2).isRefused();
    assertThat(told).containsExactly("3 4");
    endsWell(test.dial(3).becomesReady(), test.call());
  }

  private void throwAtFailure(Subchannel subchannel, SubchannelState now) {
    if (now.connectivity() == ConnectivityState.TRANSIENT_FAILURE) {
      throw new IllegalStateException("cannot bear it");
    }
  }

  @Test
  void ofSeveralResultsTheOldPolicyGetsTheNewest() {
    connected();
    resolverSays(next(), 3);
    resolverSays(next(), 5);
    throwAtEndpoints();
    resolverSays(next(), 3, 4);
    usesNewEndpoints();
  }

  @Test
  void eachNewResultMakesTheNewPolicyAgain() {
    connected();
    throwAtEndpoints();
    resolverSays(next(), 1);
    atEndpoints = context -> {};
    resolverSays(next(), 2);
    assertThat(told).containsExactly("1");
    assertThat(state()).isEqualTo(ConnectivityState.READY);
  }

  @Test
  void anOldPolicyThatReturnsGetsTheEndpointsOnce() {
    connected();
    resolverSays(next(), 3);
    resolverSays(old, 3, 4);
    usesNewEndpoints();
  }

  /** The old one would lose its connections before the newest policy has any. */
  @Test
  void theOldPolicyGetsNoEndpointsIfAThirdPolicyFollowsAtOnce() {
    connected();
    resolverSays(next(), 3);
    resolverSays(new New(2, CreateResult.MADE), 4);
    assertThat(told).isEmpty();
    assertThat(state()).isEqualTo(ConnectivityState.READY);
    throwAtEndpoints();
    resolverSays(new New(3, CreateResult.MADE), 3, 4);
    usesNewEndpoints();
  }

  @Test
  void anOldPolicyThatGetsTheSameEndpointsKeepsItsConnections() {
    connected();
    throwAtEndpoints();
    resolverSays(next(), 1, 2);
    assertThat(told).containsExactly("1 2");
    assertThat(dialled()).hasSize(2);
    assertThat(test.dial(0).transport.shutdowns).isZero();
  }

  @Test
  void ifTheResolverHasFailedSinceTheOldPolicyIsToldAfterTheEndpoints() {
    connected();
    atEndpoints =
        context ->
            context
                .createSubchannel(Endpoint.of(TestResolver.address(5)), this::throwAtFailure)
                .connect();
    resolverSays(next(), 3, 4);
    resolverSays(TestResolver.failure("down"));
    test.dial(2).isRefused();
    assertThat(told).containsExactly("failed", "3 4", "failed");
    endsWell(test.dial(3).becomesReady(), test.call());
  }

  @Test
  void ifTheNewPolicyThrowsAtNoEndpointsTheOldOneIsToldAfterTheEndpoints() {
    connected();
    resolverSays(next(), 3, 4);
    atNoEndpoints =
        () -> {
          throw new IllegalStateException("cannot be without");
        };
    resolverSays(Resolution.of(List.of()));
    assertThat(told).containsExactly("none", "3 4", "none");
    endsWell(test.dial(2).becomesReady(), test.call());
  }

  @Test
  void aFailureBeforeTheEndpointsIsNotToldAgain() {
    connected();
    resolverSays(next(), 3);
    resolverSays(TestResolver.failure("down"));
    throwAtEndpoints();
    resolverSays(next(), 3, 4);
    assertThat(told).containsExactly("failed", "3 4");
  }

  @Test
  void ifTheOldPolicyThrowsAtTheEndpointsTooTheChannelHasNone() {
    connected();
    throwAtEndpoints();
    atOldPolicy =
        event -> {
          throw new IllegalStateException("the old one fails at " + event);
        };
    resolverSays(next(), 3, 4);
    assertThat(told).containsExactly("3 4");
    assertThat(state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    assertThat(test.call().status().toString()).contains("the old one fails at 3 4");
    assertThat(test.dial(0).transport.shutdowns).isPositive();
  }

  @Test
  void ifTheOldPolicyThrowsWhileTheNewOneConnectsTheNewOneTakesOver() {
    connected();
    resolverSays(LoadBalancerProvider.roundRobin(), 3);
    assertThat(state()).isEqualTo(ConnectivityState.READY);
    atOldPolicy =
        event -> {
          throw new IllegalStateException("the old one fails at " + event);
        };
    resolverSays(TestResolver.failure("down"));
    assertThat(state()).isEqualTo(ConnectivityState.CONNECTING);
    assertThat(test.dial(0).transport.shutdowns).isPositive();
    TestCall waiting = test.call();
    FakeTransport third = test.dial(2).becomesReady();
    endsWell(third, waiting);
    endsWell(third, test.call());
  }

  @Test
  void ifTheOldPolicyThrowsAtSettingsTheNewOneTakesOver() {
    connected();
    resolverSays(LoadBalancerProvider.roundRobin(), 3);
    resolverSays(new Unsettling(), 4);
    TestCall waiting = test.call();
    endsWell(test.dial(dialled().size() - 1).becomesReady(), waiting);
    assertThat(dialled()).endsWith(TestResolver.address(4));
    assertThat(test.dial(0).transport.shutdowns).isPositive();
  }

  /** {@code round_robin} whose settings the old policy cannot bear to be offered. */
  private record Unsettling() implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "unsettling";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return LoadBalancerProvider.roundRobin().create(context);
    }

    @Override
    public boolean reconfigure(LoadBalancer policy, LoadBalancerProvider before) {
      if (before instanceof Old) {
        throw new IllegalStateException("cannot be offered");
      }
      return false;
    }
  }

  @Test
  void endpointsOfBeforeTheChannelWasIdleAreForgotten() {
    connected();
    resolverSays(next(), 3);
    resolverSays(TestResolver.failure("down"));
    test.channel().enterIdle();
    told.clear();
    connectedAgain();
    resolverSays(new New(1, CreateResult.NOT_MADE), 3, 4);
    assertThat(told).containsExactly("3 4");
  }

  private void connectedAgain() {
    test.resolver.answer = Optional.of(result(old, 1, 2));
    int before = dialled().size();
    TestCall first = test.call();
    endsWell(test.dial(before).becomesReady(), first);
    told.clear();
  }
}
