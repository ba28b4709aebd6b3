package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One connection, to the first address that can be connected to; every state and transition. */
final class PickFirstTest {
  /** An address, and what the policy does with it. */
  private static final class Address implements Subchannel {
    private final SocketAddress address;
    private final Listener listener;
    private int connects;
    private boolean shutDown;

    Address(SocketAddress address, Listener listener) {
      this.address = address;
      this.listener = listener;
    }

    @Override
    public SocketAddress address() {
      return address;
    }

    @Override
    public void connect() {
      connects++;
    }

    @Override
    public void shutdown() {
      shutDown = true;
    }

    void is(SubchannelState state) {
      listener.onState(this, state);
    }

    void fails(String why) {
      is(SubchannelState.CONNECTING);
      is(SubchannelState.failed(Status.UNAVAILABLE.withDescription(why)));
    }
  }

  private static final class Channel implements LoadBalancer.Context {
    private final List<Address> made = new ArrayList<>();
    private final List<ConnectivityState> states = new ArrayList<>();
    private Picker picker = Picker.waiting();
    private int refreshes;
    private boolean wanted;

    @Override
    public String target() {
      return "target";
    }

    @Override
    public Subchannel createSubchannel(SocketAddress address, Subchannel.Listener listener) {
      made.add(new Address(address, listener));
      return made.getLast();
    }

    @Override
    public void updateState(ConnectivityState state, Picker next) {
      states.add(state);
      picker = next;
    }

    @Override
    public void refreshNameResolution() {
      refreshes++;
    }

    @Override
    public boolean isWanted() {
      return wanted;
    }
  }

  private record AnyCall() implements PickArgs {
    @Override
    public MethodDescriptor<?, ?> method() {
      throw new UnsupportedOperationException("nobody asks");
    }

    @Override
    public CallOptions options() {
      return CallOptions.DEFAULT;
    }

    @Override
    public Metadata headers() {
      return new Metadata();
    }
  }

  private final Channel channel = new Channel();
  private final LoadBalancer policy = LoadBalancerProvider.pickFirst().create(channel);

  private static SocketAddress at(String host) {
    return InetSocketAddress.createUnresolved(host, 1);
  }

  private void resolves(String... hosts) {
    policy.onResolved(
        Resolution.of(Arrays.stream(hosts).map(PickFirstTest::at).map(Endpoint::of).toList()));
  }

  private Address of(String host) {
    return channel.made.stream()
        .filter(it -> it.address.equals(at(host)))
        .reduce((one, later) -> later)
        .orElseThrow();
  }

  private Pick pick() {
    return channel.picker.pick(new AnyCall());
  }

  private void assertWaiting() {
    assertThat(pick()).isInstanceOf(Pick.Wait.class);
  }

  private String failure() {
    return ((Pick.Fail) pick()).why().toString();
  }

  private void assertUsing(Address address) {
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.READY);
    assertThat(((Pick.Use) pick()).subchannel()).isSameAs(address);
  }

  private Address using(String host) {
    resolves(host);
    of(host).is(SubchannelState.READY);
    return of(host);
  }

  @Test
  void itIsCalledPickFirst() {
    assertThat(LoadBalancerProvider.pickFirst().policyName()).isEqualTo("pick_first");
    assertThat(LoadBalancerProvider.pickFirst().priority()).isZero();
  }

  @Test
  void itConnectsAsSoonAsItKnowsAddresses() {
    assertThat(channel.made).isEmpty();
    resolves("a", "b");
    assertThat(of("a").connects).isOne();
    assertThat(of("b").connects).isZero();
    assertThat(channel.states).containsExactly(ConnectivityState.CONNECTING);
    assertWaiting();
    of("a").is(SubchannelState.CONNECTING);
    of("a").is(SubchannelState.READY);
    assertUsing(of("a"));
    assertThat(of("b").shutDown).isTrue();
  }

  @Test
  void allAddressesOfAnEndpointAreTriedAndEachOnce() {
    policy.onResolved(
        Resolution.of(List.of(Endpoint.of(List.of(at("a"), at("b"))), Endpoint.of(at("a")))));
    assertThat(channel.made).hasSize(2);
    of("a").fails("no a");
    assertThat(of("b").connects).isOne();
    of("b").is(SubchannelState.READY);
    assertUsing(of("b"));
    assertThat(of("a").shutDown).isTrue();
  }

  @Test
  void whenAllHaveFailedCallsFailWithAllReasons() {
    resolves("a", "b");
    of("a").fails("no a");
    assertWaiting();
    IllegalStateException cause = new IllegalStateException("cause");
    of("b").is(SubchannelState.failed(Status.UNAVAILABLE.withCause(cause)));
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    assertThat(failure()).isEqualTo("UNAVAILABLE: cannot connect to target: no a; ");
    assertThat(((Pick.Fail) pick()).why().cause()).hasValue(cause);
  }

  @Test
  void withoutCallsItRestsWhenABackoffIsOver() {
    resolves("a");
    of("a").fails("no a");
    of("a").is(SubchannelState.IDLE);
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.IDLE);
    assertWaiting();
    assertThat(channel.refreshes).isZero();
    assertThat(of("a").connects).isOne();
  }

  @Test
  void withCallsItResolvesAndTriesAgainAndCallsGoOnFailing() {
    resolves("a");
    of("a").fails("no a");
    channel.wanted = true;
    of("a").is(SubchannelState.IDLE);
    assertThat(channel.refreshes).isOne();
    assertThat(of("a").connects).isOne();
    resolves("a");
    assertThat(of("a").connects).isEqualTo(2);
    assertThat(failure()).endsWith("no a");
    assertThat(channel.states)
        .containsExactly(ConnectivityState.CONNECTING, ConnectivityState.TRANSIENT_FAILURE);
    of("a").fails("still no a");
    assertThat(failure()).endsWith("still no a");
    of("a").is(SubchannelState.IDLE);
    resolves("a");
    of("a").is(SubchannelState.READY);
    assertUsing(of("a"));
  }

  @Test
  void anAddressThatBacksOffCountsAsTried() {
    resolves("a", "b");
    of("a").fails("no a");
    of("b").fails("no b");
    channel.wanted = true;
    of("b").is(SubchannelState.IDLE);
    resolves("a", "b");
    assertThat(of("a").connects).isOne();
    assertThat(of("b").connects).isEqualTo(2);
    of("a").is(SubchannelState.IDLE); // too late for this pass
    of("b").fails("no b again");
    assertThat(failure()).endsWith("no a; no b again");
  }

  @Test
  void aLostConnectionLeavesItIdleUntilACallComes() {
    using("a").is(SubchannelState.IDLE);
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.IDLE);
    assertWaiting();
    assertThat(channel.refreshes).isZero();
    policy.exitIdle();
    policy.exitIdle();
    assertThat(channel.refreshes).isOne();
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.CONNECTING);
    resolves("b");
    assertThat(of("a").shutDown).isTrue();
    assertThat(of("b").connects).isOne();
  }

  @Test
  void otherNewsOfTheConnectionInUseChangeNothing() {
    using("a").is(SubchannelState.READY);
    assertUsing(of("a"));
  }

  @Test
  void aResultThatStillListsTheConnectionInUseKeepsIt() {
    Address a = using("a");
    resolves("b", "a");
    assertUsing(a);
    assertThat(a.shutDown).isFalse();
    assertThat(of("b").connects).isZero();
  }

  @Test
  void aResultThatDoesNotListTheConnectionInUseBeginsANewPass() {
    Address a = using("a");
    resolves("b");
    assertThat(a.shutDown).isTrue();
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.CONNECTING);
    a.is(SubchannelState.IDLE); // nobody minds
    of("b").is(SubchannelState.READY);
    assertUsing(of("b"));
  }

  @Test
  void newAddressesBeginAPassAnewAndTheSameOnesDoNot() {
    resolves("a", "b");
    of("a").fails("no a");
    resolves("a", "b");
    assertThat(of("b").connects).isOne();
    resolves("b", "c");
    assertThat(of("a").shutDown).isTrue();
    assertThat(of("b").connects).isEqualTo(2); // which does nothing to one that connects
    of("b").fails("no b");
    assertThat(of("c").connects).isOne();
  }

  @Test
  void addressesThatComeWhileItRestsAreForTheNextPass() {
    using("a").is(SubchannelState.IDLE);
    resolves("b");
    assertThat(of("b").connects).isZero();
    policy.exitIdle();
    resolves("b");
    assertThat(of("b").connects).isOne();
  }

  @Test
  void withoutAddressesCallsFailForTheResolversReason() {
    policy.onResolutionFailed(Status.UNAVAILABLE.withDescription("unknown host"));
    assertThat(failure()).isEqualTo("UNAVAILABLE: cannot connect to target: unknown host");
    resolves("a");
    assertThat(of("a").connects).isOne();
    assertThat(failure()).endsWith("unknown host"); // until there is a connection
    of("a").is(SubchannelState.READY);
    assertUsing(of("a"));
  }

  @Test
  void whereResolvingFailsAddressesOfBeforeAreTried() {
    using("a").is(SubchannelState.IDLE);
    policy.exitIdle();
    policy.onResolutionFailed(Status.UNAVAILABLE);
    assertThat(of("a").connects).isEqualTo(2);
  }

  @Test
  void aFailureToResolveDoesNotHarmAConnection() {
    Address a = using("a");
    policy.onResolutionFailed(Status.UNAVAILABLE);
    assertUsing(a);
  }

  @Test
  void aPolicyThatIsShutDownListensToNobody() {
    resolves("a");
    policy.shutdown();
    of("a").is(SubchannelState.READY);
    assertWaiting();
  }

  @Test
  void whatPicksAndStatesSay() {
    assertThat(SubchannelState.failed(Status.ABORTED)).hasToString("TRANSIENT_FAILURE (ABORTED)");
    assertThat(SubchannelState.READY).hasToString("READY");
    assertThat(Pick.drop(Status.ABORTED).why()).isEqualTo(Status.ABORTED);
    assertThatThrownBy(() -> Pick.fail(Status.OK)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Pick.drop(Status.OK)).isInstanceOf(IllegalArgumentException.class);
  }
}
