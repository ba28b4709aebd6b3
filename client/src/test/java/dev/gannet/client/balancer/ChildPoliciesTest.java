package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.FakeConnector;
import dev.gannet.client.FakeStream;
import dev.gannet.client.FakeTransport;
import dev.gannet.client.TestCall;
import dev.gannet.client.TestChannel;
import dev.gannet.client.TestResolver;
import dev.gannet.client.resolver.Resolution;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** A policy that its parent shuts down, while the channel continues, leaves nothing open. */
final class ChildPoliciesTest {
  private static final Duration LONG = Duration.ofHours(1);

  private static final OutlierDetectionSettings OUTLIERS =
      OutlierDetectionSettings.DEFAULT.with(OutlierDetectionSettings.FailurePercentage.DEFAULT);

  static final List<LoadBalancerProvider> BUILT_IN =
      List.of(
          LoadBalancerProvider.pickFirst(),
          LoadBalancerProvider.roundRobin(),
          LoadBalancerProvider.leastRequest(2),
          LoadBalancerProvider.weightedRoundRobin(WeightedRoundRobinSettings.DEFAULT),
          LoadBalancerProvider.weightedRoundRobin(
              WeightedRoundRobinSettings.DEFAULT.withOobReportingPeriod(Duration.ofSeconds(1))),
          LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT),
          LoadBalancerProvider.outlierDetection(OUTLIERS, LoadBalancerProvider.pickFirst()),
          LoadBalancerProvider.outlierDetection(OUTLIERS, LoadBalancerProvider.roundRobin()),
          LoadBalancerProvider.randomSubsetting(2, LoadBalancerProvider.pickFirst()));

  /** Has one child at a time: each result of the resolver makes the next one of these. */
  private static final class Switching implements LoadBalancer {
    private final Context context;
    private final List<LoadBalancerProvider> providers;
    private final List<Child> children = new ArrayList<>();

    Switching(Context context, List<LoadBalancerProvider> providers) {
      this.context = context;
      this.providers = providers;
    }

    static LoadBalancerProvider provider(LoadBalancerProvider... children) {
      return new BuiltInPolicy(
          "switching",
          List.of(List.of(children)),
          context -> new Switching(context, List.of(children)),
          config -> provider(children));
    }

    private Child child() {
      return children.getLast();
    }

    @Override
    public void onResolved(Resolution.Resolved resolved) {
      List<Child> before = List.copyOf(children);
      children.add(new Child(context, providers.get(children.size())));
      child().policy.onResolved(resolved);
      before.reversed().stream().limit(1).forEach(it -> it.policy.shutdown());
    }

    @Override
    public void onResolutionFailed(Status why) {
      child().policy.onResolutionFailed(why);
    }

    @Override
    public void exitIdle() {
      child().policy.exitIdle();
    }

    @Override
    public void shutdown() {
      child().policy.shutdown();
    }
  }

  /** A child, and what it has done with its context. */
  private static final class Child implements ForwardingContext {
    private final LoadBalancer.Context context;
    private final LoadBalancer policy;
    private int published;
    private int expired;

    Child(LoadBalancer.Context context, LoadBalancerProvider provider) {
      this.context = context;
      this.policy = provider.create(this);
    }

    @Override
    public LoadBalancer.Context context() {
      return context;
    }

    @Override
    public void updateState(ConnectivityState state, Picker picker) {
      published++;
      context.updateState(state, picker);
    }

    @Override
    public Registration schedule(Runnable task, Duration delay) {
      return context.schedule(
          () -> {
            expired++;
            task.run();
          },
          delay);
    }
  }

  private final FakeChannel channel = new FakeChannel();

  /** A second child of the same kind is told of three other endpoints, and the first is dropped. */
  private void isReplaced(Switching parent) {
    Child old = parent.child();
    List<FakeAddress> itsSubchannels = List.copyOf(channel.made);
    parent.onResolved(FakeChannel.endpoints("d", "e", "f"));
    channel.pick();
    int published = old.published;
    int expired = old.expired;

    assertThat(itsSubchannels).isNotEmpty().allMatch(it -> it.shutDown);
    itsSubchannels.forEach(it -> it.listener.onState(it, SubchannelState.IDLE));
    itsSubchannels.forEach(it -> it.listener.onState(it, SubchannelState.READY));
    channel.advance(LONG);
    assertThat(old.expired).isEqualTo(expired);
    assertThat(old.published).isEqualTo(published);
    assertThat(open()).isNotEmpty().isSubsetOf("d", "e", "f");

    parent.shutdown();
    assertThat(open()).isEmpty();
    assertThat(channel.loop.pendingTasks()).isZero();
  }

  private Set<String> open() {
    Set<String> hosts = new TreeSet<>();
    Stream.of("a", "b", "c", "d", "e", "f")
        .filter(host ->
            channel.made.stream()
                .anyMatch(it -> it.address().equals(FakeChannel.at(host)) && !it.shutDown))
        .forEach(hosts::add);
    return hosts;
  }

  private Switching parentOfTwo(LoadBalancerProvider provider) {
    Switching parent = new Switching(channel, List.of(provider, provider));
    parent.onResolved(FakeChannel.endpoints("a", "b", "c"));
    channel.pick(); // ring_hash connects when it is asked
    return parent;
  }

  @ParameterizedTest
  @FieldSource("BUILT_IN")
  void aChildThatIsConnectingLeavesNothing(LoadBalancerProvider provider) {
    isReplaced(parentOfTwo(provider));
  }

  @ParameterizedTest
  @FieldSource("BUILT_IN")
  void aChildThatIsConnectedLeavesNothing(LoadBalancerProvider provider) {
    Switching parent = parentOfTwo(provider);
    channel.made.forEach(FakeAddress::becomesReady);
    assertThat(channel.state()).isEqualTo(ConnectivityState.READY);
    isReplaced(parent);
  }

  @ParameterizedTest
  @FieldSource("BUILT_IN")
  void aChildThatFailsLeavesNothing(LoadBalancerProvider provider) {
    Switching parent = parentOfTwo(provider);
    for (int i = 0; i < channel.connected.size(); i++) {
      channel.connected.get(i).fails("no route");
    }
    assertThat(channel.state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    isReplaced(parent);
  }

  @ParameterizedTest
  @FieldSource("BUILT_IN")
  void aChildWhoseServersAreCheckedLeavesNothing(LoadBalancerProvider provider) {
    channel.healthCheckService = Optional.of("greeter");
    Switching parent = parentOfTwo(provider);
    channel.made.forEach(FakeAddress::becomesReady);
    isReplaced(parent);
  }

  @ParameterizedTest
  @FieldSource("BUILT_IN")
  void theConnectionsOfAChildEndWithIt(LoadBalancerProvider provider) {
    TestChannel test = new TestChannel();
    test.policy = Switching.provider(provider, provider);
    test.resolver.answer = Optional.of(TestResolver.endpoints(1));
    TestCall call = test.call();
    FakeConnector.Dial first = test.dial();
    FakeTransport old = first.becomesReady();
    assertThat(old.streams).isNotEmpty();

    test.resolver.last().refresh(); // the second result makes the second child
    assertThat(old.shutdowns).isEqualTo(1);
    FakeStream<?> stream = old.streams.getFirst(); // others are for load reports
    stream.answers("response");
    stream.endsWith(Status.OK);
    assertThat(call.status()).isEqualTo(Status.OK);

    TestCall next = test.call();
    FakeConnector.Dial second = test.dial();
    assertThat(second).isNotSameAs(first);
    FakeTransport made = second.becomesReady();
    assertThat(made.streams).isNotEmpty();
    assertThat(next.isOver()).isFalse();
    first.isGone("closed");
    assertThat(openAddresses(test)).hasSize(1);
  }

  private static List<SocketAddress> openAddresses(TestChannel test) {
    return test.channel().snapshot().subchannels().stream().map(it -> it.address()).toList();
  }

  @Test
  void theSubchannelsOfAChannelEndOnce() {
    for (LoadBalancerProvider provider : BUILT_IN) {
      TestChannel test = new TestChannel();
      test.policy = provider;
      test.call();
      FakeTransport transport = test.dial().becomesReady();
      test.channel().shutdownNow();
      assertThat(transport.shutdowns).isEqualTo(1);
    }
  }
}
