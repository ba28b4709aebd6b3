package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.client.resolver.Resolution;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** A child to which its parent leaves no endpoints fails calls, and says why. */
final class LeftEndpointsTest {
  private static final String BUILT_IN = "dev.gannet.client.balancer.ChildPoliciesTest#BUILT_IN";
  private static final Resolution.Resolved NONE = FakeChannel.endpoints();

  private final FakeChannel channel = new FakeChannel();

  private void callsFail() {
    assertThat(channel.state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    assertThat(channel.picked())
        .startsWith("UNAVAILABLE")
        .endsWith("cannot connect to target: the parent policy left no endpoints");
  }

  @ParameterizedTest
  @FieldSource(BUILT_IN)
  void aChildThatNeverHadEndpointsFailsCalls(LoadBalancerProvider provider) {
    provider.create(channel).onResolved(NONE);
    callsFail();
    assertThat(channel.refreshes).isZero();
  }

  @ParameterizedTest
  @FieldSource(BUILT_IN)
  void aChildGivesUpTheEndpointsThatItHad(LoadBalancerProvider provider) {
    LoadBalancer policy = provider.create(channel);
    policy.onResolved(FakeChannel.endpoints("a", "b"));
    channel.pick(); // ring_hash connects when it is asked
    channel.made.forEach(FakeAddress::becomesReady);
    policy.onResolved(NONE);
    callsFail();
    assertThat(channel.made).isNotEmpty().allMatch(it -> it.shutDown);
  }

  @ParameterizedTest
  @FieldSource(BUILT_IN)
  void aChildThatGetsEndpointsAgainServes(LoadBalancerProvider provider) {
    LoadBalancer policy = provider.create(channel);
    policy.onResolved(NONE);
    policy.onResolved(FakeChannel.endpoints("a"));
    channel.pick();
    channel.made.forEach(FakeAddress::becomesReady);
    assertThat(channel.picked()).isEqualTo("a");
  }

  /** An application's policy: keeps what it is told, and publishes what the test says. */
  private record Own(String name, List<String> heard, List<LoadBalancer.Context> contexts)
      implements LoadBalancerProvider, LoadBalancer {
    Own(String name, List<String> heard) {
      this(name, heard, new ArrayList<>());
    }

    void isReady() {
      contexts.getFirst().updateState(ConnectivityState.READY, Picker.queueing());
    }

    @Override
    public String policyName() {
      return name;
    }

    @Override
    public LoadBalancer create(Context context) {
      contexts.add(context);
      return this;
    }

    @Override
    public void onResolved(Resolution.Resolved resolved) {
      heard.add(name + " gets " + resolved.endpoints().size());
    }

    @Override
    public boolean onNoEndpoints(Status why) {
      heard.add(name + ": " + why.description().orElse(""));
      return true;
    }

    @Override
    public void onResolutionFailed(Status why) {}

    @Override
    public void exitIdle() {}

    @Override
    public void shutdown() {}
  }

  private final List<String> heard = new ArrayList<>();

  @Test
  void aPolicyOfAnApplicationGetsAtLeastOneEndpoint() {
    Own own = new Own("own", heard);
    LoadBalancer parent = LoadBalancerProvider.randomSubsetting(2, own).create(channel);
    parent.onResolved(FakeChannel.endpoints("a"));
    parent.onResolved(NONE);
    assertThat(heard).containsExactly("own gets 1", "own: the parent policy left no endpoints");
  }

  @Test
  void aForwardingPolicyToldOfNoEndpointsTellsItsDelegate() {
    new ForwardingLoadBalancer() {
      @Override
      protected LoadBalancer delegate() {
        return new Own("own", heard);
      }
    }.onResolved(NONE);
    assertThat(heard).containsExactly("own: the parent policy left no endpoints");
  }

  @Test
  void aForwardingPolicyMayActItselfWhenNoEndpointsAreLeft() {
    new ForwardingLoadBalancer() {
      @Override
      protected LoadBalancer delegate() {
        return new Own("own", heard);
      }

      @Override
      public boolean onNoEndpoints(Status why) {
        heard.add("wrapper");
        return super.onNoEndpoints(why);
      }
    }.onResolved(NONE);
    assertThat(heard).containsExactly("wrapper", "own: the parent policy left no endpoints");
  }

  @Test
  void aChildAndTheOneThatWillReplaceItAreBothTold() {
    Own old = new Own("old", heard);
    ReplaceableChild child = new ReplaceableChild(channel);
    child.use(old);
    old.isReady();
    child.use(new Own("new", heard));
    child.onResolved(NONE);
    assertThat(heard)
        .containsExactly(
            "old: the parent policy left no endpoints", "new: the parent policy left no endpoints");
  }
}
