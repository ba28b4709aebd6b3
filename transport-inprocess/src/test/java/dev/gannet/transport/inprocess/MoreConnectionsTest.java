package dev.gannet.transport.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.ChannelConnectionSnapshot;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.client.balancer.ForwardingContext;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.balancer.SubchannelOptions;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * A server limits the concurrent calls of an in-process connection as it does those of a network
 * connection: a channel makes more connections for more calls (gRFC A105).
 */
final class MoreConnectionsTest {
  private final World world = new World();
  private final Handler handler = new Handler(1);

  /** Those that the policy has made. */
  private final List<Subchannel> subchannels = new ArrayList<>();

  private final Config config = new Config();

  /** A resolver whose name keeps its address while its service config changes. */
  private final class Config implements NameResolverProvider, NameResolver {
    private int connections = 1;
    private Optional<Listener> listener = Optional.empty();

    @Override
    public String scheme() {
      return "changing";
    }

    @Override
    public NameResolver create(Target target, NameResolver.Context context) {
      return this;
    }

    @Override
    public void start(Listener listener) {
      this.listener = Optional.of(listener);
      refresh();
    }

    @Override
    public void refresh() {
      Resolution.Resolved at = Resolution.of(List.of(Endpoint.of(world.address())));
      ServiceConfig says = ServiceConfig.builder().maxConnectionsPerSubchannel(connections).build();
      listener.ifPresent(it -> it.onResult(says.addTo(at)));
    }

    @Override
    public void shutdown() {}
  }

  private void allow(int connections) {
    config.connections = connections;
    config.refresh();
    world.run();
  }

  /** {@code pick_first} whose subchannels the test knows. */
  private final class Watching implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "watching";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return LoadBalancerProvider.pickFirst().create(new Noting(context, subchannels));
    }
  }

  private record Noting(LoadBalancer.Context context, List<Subchannel> made)
      implements ForwardingContext {
    @Override
    public Subchannel createSubchannel(
        Endpoint endpoint, Subchannel.Listener listener, SubchannelOptions options) {
      Subchannel subchannel = context.createSubchannel(endpoint, listener, options);
      made.add(subchannel);
      return subchannel;
    }
  }

  private void serveOneAtATime() {
    World.start(world.serverBuilder(Texts.BIDI, handler).maxConcurrentCallsPerConnection(1));
  }

  private ManagedChannel channel(int maxConnections) {
    return world.channelBuilder().maxConnectionsPerSubchannel(maxConnections).build();
  }

  private ManagedChannelBuilder configured() {
    return ManagedChannel.builder("changing:///server")
        .addNameResolver(config)
        .loadBalancer(new Watching())
        .transport(world.transport())
        .executor(world.loop())
        .idleTimeout(Duration.ofDays(36_501));
  }

  private Heard begin(ManagedChannel channel, CallOptions options) {
    Heard heard = new Heard();
    World.begin(channel, Texts.BIDI, options, new Metadata(), heard).sendMessage("request");
    world.run();
    return heard;
  }

  private List<Heard> begin(ManagedChannel channel, int calls) {
    List<Heard> begun = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      begun.add(begin(channel, CallOptions.DEFAULT));
    }
    return begun;
  }

  private void answer(int call) {
    Handler.Served served = handler.calls().get(call);
    assertThat(served.messages()).containsExactly("request");
    served.call().close(Status.OK, new Metadata());
    world.run();
  }

  private static List<ChannelConnectionSnapshot> connections(ManagedChannel channel) {
    return channel.snapshot().subchannels().getFirst().connections();
  }

  private static List<Integer> callsWaiting(ManagedChannel channel) {
    return connections(channel).stream().map(ChannelConnectionSnapshot::callsWaiting).toList();
  }

  @Test
  void connectionsAreMadeUntilAllCallsAreServed() {
    serveOneAtATime();
    ManagedChannel channel = channel(3);
    begin(channel, 3);
    assertThat(handler.calls()).hasSize(3);
    assertThat(connections(channel)).hasSize(3);
    assertThat(channel.pendingCalls()).isZero();
  }

  @Test
  void noMoreConnectionsAreMadeThanTheOptionSaysAndTheOtherCallsWaitForAny() {
    serveOneAtATime();
    ManagedChannel channel = channel(2);
    List<Heard> calls = begin(channel, 5);
    assertThat(connections(channel)).hasSize(2);
    assertThat(callsWaiting(channel)).containsExactly(0, 0);
    assertThat(channel.pendingCalls()).isEqualTo(3);
    answer(1);
    assertThat(handler.calls()).hasSize(3);
    for (int call : new int[] {0, 2, 3, 4}) {
      answer(call);
    }
    assertThat(calls).allMatch(call -> call.status().equals(Status.OK));
    assertThat(connections(channel)).hasSize(2);
  }

  @Test
  void theSnapshotTellsTheServersLimit() {
    serveOneAtATime();
    ManagedChannel channel = channel(1);
    begin(channel, 2);
    assertThat(connections(channel).getFirst().maxConcurrentStreams())
        .isEqualTo(OptionalLong.of(1));
    assertThat(callsWaiting(channel)).containsExactly(1);
  }

  @Test
  void withoutALimitThereIsOneConnection() {
    world.serve(Texts.BIDI, handler);
    ManagedChannel channel = channel(3);
    begin(channel, 300);
    assertThat(handler.calls()).hasSize(300);
    assertThat(connections(channel)).hasSize(1);
    assertThat(connections(channel).getFirst().maxConcurrentStreams()).isEmpty();
  }

  @Test
  void callsThatWaitOnTheOnlyConnectionUseOthersWhenMoreAreAllowed() {
    serveOneAtATime();
    ManagedChannel channel = configured().build();
    List<Heard> calls = begin(channel, 4);
    assertThat(callsWaiting(channel)).containsExactly(3);
    allow(3);
    assertThat(handler.calls()).hasSize(3);
    assertThat(callsWaiting(channel)).containsExactly(0, 0, 0);
    assertThat(channel.pendingCalls()).isOne();
    for (int call = 0; call < 4; call++) {
      answer(call);
    }
    assertThat(calls).allMatch(call -> call.status().equals(Status.OK));
    assertThat(world.loop().pendingTasks()).isZero();
  }

  @Test
  void aCallThatBeganOnTheOnlyConnectionFreesItForWaitingOnes() {
    serveOneAtATime();
    ManagedChannel channel = configured().build();
    begin(channel, 1);
    allow(2);
    begin(channel, 2);
    assertThat(handler.calls()).hasSize(2);
    answer(0);
    assertThat(handler.calls()).hasSize(3);
    assertThat(callsWaiting(channel)).containsExactly(0, 0);
  }

  @Test
  void aCallThatMovesKeepsItsDeadlineAndTheTimeInWhichItWaited() {
    serveOneAtATime();
    ManagedChannel channel = configured().build();
    begin(channel, 1);
    Deadline soon = Deadline.after(Duration.ofSeconds(3), world::nanoTime);
    Heard waiting = begin(channel, CallOptions.DEFAULT.withDeadline(soon));
    world.loop().advance(Duration.ofSeconds(1));
    allow(2);
    assertThat(handler.calls()).hasSize(2);
    world.loop().advance(Duration.ofSeconds(2));
    assertThat(waiting.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(waiting.status().failure().orElseThrow().inQueue()).isEqualTo(Duration.ofSeconds(1));
    assertThat(world.loop().pendingTasks()).isZero();
  }

  /** Such a call belongs to its subchannel and cannot move, unlike those of applications. */
  @Test
  void callsThatCannotMoveStayInTheirOrderAndAreCounted() {
    serveOneAtATime();
    ManagedChannel channel = configured().build();
    begin(channel, 1);
    watch("first");
    watch("second");
    begin(channel, 1);
    assertThat(callsWaiting(channel)).containsExactly(3);
    allow(2);
    assertThat(callsWaiting(channel)).containsExactly(2, 0);
    assertThat(handler.calls()).hasSize(2);
    answer(0);
    assertThat(handler.calls().get(2).messages()).containsExactly("first");
    begin(channel, 1);
    assertThat(callsWaiting(channel)).containsExactly(1, 0);
    assertThat(channel.pendingCalls()).isOne();
    answer(1);
    assertThat(handler.calls()).hasSize(4);
    assertThat(handler.calls().get(3).messages()).containsExactly("request");
  }

  private void watch(String request) {
    subchannels.getFirst().watch(Texts.BIDI, request, message -> {});
    world.run();
  }

  @Test
  void whenOneConnectionIsAllowedAgainCallsWaitOnIt() {
    serveOneAtATime();
    ManagedChannel channel = configured().build();
    begin(channel, 1);
    allow(2);
    allow(1);
    List<Heard> calls = begin(channel, 2);
    assertThat(callsWaiting(channel)).containsExactly(2);
    answer(0);
    answer(1);
    answer(2);
    assertThat(calls).allMatch(call -> call.status().equals(Status.OK));
  }
}
