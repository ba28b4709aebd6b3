package dev.gannet.client.balancer;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One connection, to the first address that can be connected to; every state and transition. */
final class PickFirstTest {
  private final FakeChannel channel = new FakeChannel();
  private final LoadBalancer policy = LoadBalancerProvider.pickFirst().create(channel);

  private void resolves(String... hosts) {
    policy.onResolved(
        Resolution.of(Arrays.stream(hosts).map(FakeChannel::at).map(Endpoint::of).toList()));
  }

  private FakeAddress of(String host) {
    return channel.of(host);
  }

  private Pick pick() {
    return channel.pick();
  }

  private void assertWaiting() {
    assertThat(pick()).isInstanceOf(Pick.Queue.class);
  }

  private String failure() {
    return ((Pick.Fail) pick()).why().toString();
  }

  private void assertUsing(FakeAddress address) {
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.READY);
    assertThat(((Pick.Use) pick()).subchannel()).isSameAs(address);
  }

  private FakeAddress using(String host) {
    resolves(host);
    of(host).is(SubchannelState.READY);
    return of(host);
  }

  @Test
  void aConnectionWhoseServerHasAnotherAuthorityNowIsReplaced() {
    FakeAddress before = using("a");
    policy.onResolved(
        Resolution.of(List.of(Endpoint.of(FakeChannel.at("a")).withAuthority("other.example"))));
    assertThat(before.shutDown).isTrue();
    assertThat(of("a").endpoint().authority()).contains("other.example");
    assertThat(of("a").connects).isOne();
  }

  @Test
  void itIsCalledPickFirst() {
    assertThat(LoadBalancerProvider.pickFirst().policyName()).isEqualTo("pick_first");
    assertThat(LoadBalancerProvider.pickFirst().priority()).isZero();
  }

  @Test
  void itConnectsWhenAddressesAreKnown() {
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
        Resolution.of(
            List.of(
                Endpoint.of(List.of(FakeChannel.at("a"), FakeChannel.at("b"))),
                Endpoint.of(FakeChannel.at("a")))));
    assertThat(channel.made).hasSize(2);
    of("a").fails("no a");
    assertThat(of("b").connects).isOne();
    of("b").is(SubchannelState.READY);
    assertUsing(of("b"));
    assertThat(of("a").shutDown).isTrue();
  }

  private static Endpoint weighted(int weight, String... hosts) {
    return Endpoint.of(Arrays.stream(hosts).map(FakeChannel::at).toList())
        .withAttributes(Attributes.EMPTY.with(RingHashSettings.WEIGHT, weight));
  }

  private int weightOf(String host) {
    return of(host).attributes().get(RingHashSettings.WEIGHT).orElseThrow();
  }

  @Test
  void aSubchannelHasTheAttributesOfTheFirstEndpointWithItsAddress() {
    policy.onResolved(Resolution.of(List.of(weighted(1, "a", "b"), weighted(2, "b", "c"))));
    assertThat(weightOf("a")).isEqualTo(1);
    assertThat(weightOf("b")).isEqualTo(1);
    assertThat(weightOf("c")).isEqualTo(2);
  }

  @Test
  void otherAttributesReachASubchannelWhenItHasNothingToKeep() {
    policy.onResolved(Resolution.of(List.of(weighted(1, "a"))));
    FakeAddress first = of("a");
    first.is(SubchannelState.READY);
    policy.onResolved(Resolution.of(List.of(weighted(2, "a"))));
    assertUsing(first);
    first.is(SubchannelState.IDLE);
    policy.exitIdle();
    assertThat(first.shutDown).isTrue();
    assertThat(weightOf("a")).isEqualTo(2);
    FakeAddress second = of("a");
    second.fails("no a");
    policy.onResolved(Resolution.of(List.of(weighted(3, "a"))));
    assertThat(of("a")).isSameAs(second); // it is in its backoff
  }

  @Test
  void otherAttributesReachASubchannelThatIsNotTriedYet() {
    policy.onResolved(Resolution.of(List.of(weighted(1, "a", "b"))));
    FakeAddress tried = of("a");
    tried.is(SubchannelState.CONNECTING);
    FakeAddress untried = of("b");
    policy.onResolved(Resolution.of(List.of(weighted(2, "a", "b"))));
    assertThat(of("a")).isSameAs(tried);
    tried.fails("no a");
    assertThat(untried.shutDown).isTrue();
    assertThat(untried.connects).isZero();
    of("b").is(SubchannelState.READY);
    assertUsing(of("b"));
    assertThat(weightOf("b")).isEqualTo(2);
  }

  @Test
  void otherAttributesReachASubchannelWhoseBackoffEndsBeforeItIsTried() {
    policy.onResolved(Resolution.of(List.of(weighted(1, "a", "b"))));
    of("a").fails("no a");
    FakeAddress backingOff = of("b");
    backingOff.fails("no b");
    channel.hasWaitingCalls = true;
    policy.onResolved(Resolution.of(List.of(weighted(2, "a", "b"))));
    backingOff.is(SubchannelState.IDLE);
    assertThat(backingOff.shutDown).isTrue();
    assertThat(of("b").connects).isOne();
    assertThat(weightOf("b")).isEqualTo(2);
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

  private void allFail(int addresses) {
    List<String> hosts = IntStream.rangeClosed(1, addresses).mapToObj(it -> "a" + it).toList();
    resolves(hosts.toArray(String[]::new));
    hosts.forEach(it -> of(it).fails("no " + it));
  }

  private static String reasons(int first, int last) {
    return "UNAVAILABLE: cannot connect to target: "
        + IntStream.rangeClosed(first, last).mapToObj(it -> "no a" + it).collect(joining("; "));
  }

  @Test
  void ofManyReasonsCallsGetTheLatestAndTheNumberOfTheOthers() {
    allFail(16);
    assertThat(failure()).isEqualTo(reasons(1, 16));
    allFail(17);
    assertThat(failure()).isEqualTo(reasons(2, 17) + "; no connection to 1 other address");
    allFail(1000);
    assertThat(failure()).isEqualTo(reasons(985, 1000) + "; no connection to 984 other addresses");
  }

  @Test
  void withoutCallsItIsIdleAfterABackoff() {
    resolves("a");
    of("a").fails("no a");
    of("a").is(SubchannelState.IDLE);
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.IDLE);
    assertWaiting();
    assertThat(of("a").connects).isOne();
  }

  @Test
  void withCallsItResolvesAndConnectsAgainWhileCallsFail() {
    resolves("a");
    of("a").fails("no a");
    channel.hasWaitingCalls = true;
    of("a").is(SubchannelState.IDLE);
    assertThat(channel.refreshes).isOne();
    assertThat(of("a").connects).isEqualTo(2);
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
  void aCallThatHasFailedMakesAllPoliciesConnectAgainOnce() {
    PickFirst other = new PickFirst(channel, AddressOrder.AS_RESOLVED);
    resolves("a");
    other.onResolved(FakeChannel.endpoints("b"));
    of("a").fails("no a");
    of("b").fails("no b");
    channel.failures++;
    of("a").is(SubchannelState.IDLE);
    of("b").is(SubchannelState.IDLE);
    assertThat(of("a").connects).isEqualTo(2);
    assertThat(of("b").connects).isEqualTo(2);
    resolves("a");
    of("a").fails("no a");
    of("a").is(SubchannelState.IDLE);
    assertThat(of("a").connects).isEqualTo(2);
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.IDLE);
  }

  @Test
  void callsThatHaveFailedBeforeItWasMadeDoNotCount() {
    channel.failures++;
    PickFirst later = new PickFirst(channel, AddressOrder.AS_RESOLVED);
    later.onResolved(FakeChannel.endpoints("a"));
    of("a").fails("no a");
    of("a").is(SubchannelState.IDLE);
    assertThat(of("a").connects).isOne();
  }

  @Test
  void anAddressInItsBackoffCountsAsTried() {
    resolves("a", "b");
    of("a").fails("no a");
    of("b").fails("no b");
    resolves("a", "b", "c");
    assertThat(channel.connected).containsExactly(of("a"), of("b"), of("c"));
    of("c").fails("no c");
    assertThat(failure()).endsWith("no a; no b; no c");
  }

  @Test
  void afterTheFirstPassEachAddressIsTriedAgainWhenItsOwnBackoffEnds() {
    resolves("a", "b");
    of("a").fails("no a");
    of("b").fails("no b");
    channel.hasWaitingCalls = true;
    of("b").is(SubchannelState.IDLE);
    assertThat(channel.connected).containsExactly(of("a"), of("b"), of("b"));
    of("b").is(SubchannelState.CONNECTING);
    of("a").is(SubchannelState.IDLE);
    assertThat(of("a").connects).isEqualTo(2);
    of("a").is(SubchannelState.CONNECTING); // for long
    of("b").fails("no b again");
    assertThat(failure()).endsWith("no a; no b again");
    of("b").is(SubchannelState.IDLE);
    assertThat(of("b").connects).isEqualTo(3);
    of("b").becomesReady();
    assertUsing(of("b"));
    assertThat(of("a").shutDown).isTrue();
  }

  @Test
  void anAddressWhoseBackoffEndsInTheFirstPassIsTriedAgainWhenThePassIsOver() {
    resolves("a", "b", "c");
    of("a").is(SubchannelState.CONNECTING);
    channel.advance(Duration.ofMillis(250));
    of("b").fails("no b");
    of("c").fails("no c");
    of("b").is(SubchannelState.IDLE);
    assertThat(of("b").connects).isOne();
    channel.hasWaitingCalls = true;
    of("a").fails("no a");
    assertThat(failure()).endsWith("no b; no c; no a");
    assertThat(channel.connected).containsExactly(of("a"), of("b"), of("c"), of("b"));
    assertThat(channel.loop.pendingTasks()).isZero();
  }

  @Test
  void anAddressWhoseBackoffEndsInTheFirstPassLeavesItIdleWithoutCalls() {
    resolves("a", "b");
    of("a").fails("no a");
    of("a").is(SubchannelState.IDLE);
    of("b").fails("no b");
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.IDLE);
    assertThat(channel.connected).containsExactly(of("a"), of("b"));
  }

  @Test
  void withoutCallsItIsIdleWhenABackoffEndsAndNoAddressIsBeingTried() {
    resolves("a", "b");
    of("a").fails("no a");
    of("b").fails("no b");
    channel.hasWaitingCalls = true;
    of("a").is(SubchannelState.IDLE);
    channel.hasWaitingCalls = false;
    of("b").is(SubchannelState.IDLE);
    assertThat(of("b").connects).isEqualTo(2); // beside a
    of("a").fails("no a");
    of("b").fails("no b");
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    of("b").is(SubchannelState.IDLE);
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.IDLE);
    assertThat(of("b").connects).isEqualTo(2);
    policy.exitIdle(); // a is in its backoff
    assertThat(of("b").connects).isEqualTo(3);
  }

  @Test
  void theResolverIsAskedWhenAsManyAttemptsAsAddressesHaveFailed() {
    channel.hasWaitingCalls = true;
    resolves("a", "b");
    of("a").fails("no a");
    assertThat(channel.refreshes).isZero();
    of("b").fails("no b");
    assertThat(channel.refreshes).isOne();
    triesAgainInVain("a");
    triesAgainInVain("a");
    assertThat(channel.refreshes).isOne(); // it has not answered
    resolves("a", "b");
    triesAgainInVain("b");
    assertThat(channel.refreshes).isEqualTo(2);
    policy.onResolutionFailed(Status.UNAVAILABLE);
    triesAgainInVain("b");
    assertThat(channel.refreshes).isEqualTo(2);
    triesAgainInVain("a");
    assertThat(channel.refreshes).isEqualTo(3);
  }

  private void triesAgainInVain(String host) {
    of(host).is(SubchannelState.IDLE);
    of(host).fails("no " + host);
  }

  @Test
  void aLostConnectionLeavesItIdleUntilACallComes() {
    using("a").is(SubchannelState.IDLE);
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.IDLE);
    assertWaiting();
    assertThat(channel.refreshes).isOne();
    policy.exitIdle();
    policy.exitIdle();
    assertThat(channel.refreshes).isOne(); // it has not answered
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.CONNECTING);
  }

  /** A call that comes after a connection was lost; the resolver does not answer yet. */
  private void losesConnectionsTo(String... hosts) {
    resolves(hosts);
    of(hosts[0]).is(SubchannelState.READY);
    of(hosts[0]).is(SubchannelState.IDLE);
    policy.exitIdle();
  }

  @Test
  void afterALossTheKnownAddressesAreTriedBeforeTheResolverAnswers() {
    losesConnectionsTo("a", "b");
    assertThat(of("a").connects).isEqualTo(2);
    of("a").fails("no a");
    of("b").is(SubchannelState.READY);
    assertUsing(of("b"));
    assertThat(channel.refreshes).isOne();
    resolves("a", "b");
    assertUsing(of("b"));
  }

  @Test
  void otherAddressesThatTheResolverAnswersMeanwhileReplaceTheKnownOnes() {
    losesConnectionsTo("a");
    resolves("b");
    assertThat(of("a").shutDown).isTrue();
    assertThat(of("b").connects).isOne();
  }

  @Test
  void noCallFailsBeforeTheResolverHasAnswered() {
    losesConnectionsTo("a");
    of("a").fails("no a");
    assertWaiting();
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.CONNECTING);
    resolves("b");
    of("b").is(SubchannelState.READY);
    assertUsing(of("b"));
    assertThat(channel.states).doesNotContain(ConnectivityState.TRANSIENT_FAILURE);
  }

  @Test
  void aPassThatFailsAtOnceWaitsForTheResolverToo() {
    resolves("a", "b");
    of("a").fails("no a");
    of("b").fails("no b");
    of("a").is(SubchannelState.IDLE); // without calls
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.IDLE);
    resolves("b"); // which is in its backoff
    channel.hasWaitingCalls = true;
    policy.exitIdle();
    assertWaiting();
    resolves("c");
    of("c").is(SubchannelState.READY);
    assertUsing(of("c"));
  }

  @Test
  void callsFailWhenTheResolverAnswersWithAddressesThatHaveFailed() {
    losesConnectionsTo("a");
    of("a").fails("no a");
    resolves("a");
    assertThat(failure()).endsWith("no a");
    assertThat(of("a").connects).isEqualTo(2);
  }

  @Test
  void callsFailWhenTheKnownAddressesAndTheResolverHaveFailed() {
    losesConnectionsTo("a", "b");
    of("a").fails("no a");
    policy.onResolutionFailed(Status.UNAVAILABLE.withDescription("no resolver"));
    assertWaiting();
    of("b").fails("no b");
    assertThat(failure()).endsWith("no a; no b");
    losesConnectionsTo("c");
    of("c").fails("no c");
    policy.onResolutionFailed(Status.UNAVAILABLE);
    assertThat(failure()).endsWith("no c");
  }

  @Test
  void whileTheResolverIsAskedAnAddressIsTriedAgainAfterItsBackoff() {
    losesConnectionsTo("a");
    of("a").fails("no a");
    channel.hasWaitingCalls = true;
    of("a").is(SubchannelState.IDLE);
    assertThat(of("a").connects).isEqualTo(3);
    of("a").is(SubchannelState.READY);
    assertUsing(of("a"));
  }

  @Test
  void whileTheResolverIsAskedItIsIdleAfterABackoffWithoutCalls() {
    losesConnectionsTo("a");
    of("a").fails("no a");
    of("a").is(SubchannelState.IDLE);
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.IDLE);
    resolves("b");
    policy.exitIdle();
    assertThat(of("b").connects).isOne();
  }

  @Test
  void aRepeatedReadyStateChangesNothing() {
    using("a").is(SubchannelState.READY);
    assertUsing(of("a"));
  }

  @Test
  void aResultThatStillListsTheConnectionInUseKeepsIt() {
    FakeAddress a = using("a");
    resolves("b", "a");
    assertUsing(a);
    assertThat(a.shutDown).isFalse();
  }

  @Test
  void aResultMakesNoSubchannelsUntilThereIsAPassThatNeedsThem() {
    FakeAddress a = using("a");
    resolves("a", "b", "c");
    assertThat(channel.made).containsExactly(a);
    a.is(SubchannelState.IDLE);
    resolves("b", "c", "a");
    assertThat(channel.made).containsExactly(a);
    policy.exitIdle();
    assertThat(channel.made).containsExactly(a, of("b"), of("c"));
    assertThat(channel.connected.getLast()).isSameAs(of("b"));
  }

  @Test
  void aResultWithoutTheConnectionInUseStartsANewPass() {
    FakeAddress a = using("a");
    resolves("b");
    assertThat(a.shutDown).isTrue();
    assertThat(channel.states.getLast()).isEqualTo(ConnectivityState.CONNECTING);
    a.is(SubchannelState.IDLE); // nobody minds
    of("b").is(SubchannelState.READY);
    assertUsing(of("b"));
  }

  @Test
  void newAddressesStartANewPassAndTheSameOnesDoNot() {
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
  void addressesThatArriveWhileItIsIdleAreUsedInTheNextPass() {
    using("a").is(SubchannelState.IDLE);
    resolves("b");
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
  void ifResolutionFailsTheOldAddressesAreTried() {
    using("a").is(SubchannelState.IDLE);
    policy.exitIdle();
    policy.onResolutionFailed(Status.UNAVAILABLE);
    assertThat(of("a").connects).isEqualTo(2);
  }

  @Test
  void ifResolutionFailsTheAddressesThatWereNotUsedAreTriedToo() {
    resolves("a", "b");
    of("a").is(SubchannelState.READY);
    of("a").is(SubchannelState.IDLE);
    policy.exitIdle();
    policy.onResolutionFailed(Status.UNAVAILABLE);
    of("a").fails("no a");
    of("b").is(SubchannelState.READY);
    assertUsing(of("b"));
  }

  @Test
  void aFailureToResolveDoesNotHarmAConnection() {
    FakeAddress a = using("a");
    policy.onResolutionFailed(Status.UNAVAILABLE);
    assertUsing(a);
  }

  @Test
  void afterShutdownStateChangesAreIgnored() {
    resolves("a");
    policy.shutdown();
    of("a").is(SubchannelState.READY);
    assertWaiting();
  }

  @Test
  void picksAndStatesHaveATextAndRefuseOk() {
    assertThat(SubchannelState.failed(Status.ABORTED)).hasToString("TRANSIENT_FAILURE (ABORTED)");
    assertThat(SubchannelState.READY).hasToString("READY");
    assertThat(Pick.drop(Status.ABORTED).why()).isEqualTo(Status.ABORTED);
    assertThatThrownBy(() -> Pick.fail(Status.OK)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Pick.drop(Status.OK)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ifAnAddressTakesLongTheNextIsTriedInParallel() {
    resolves("a", "b", "c");
    channel.advance(Duration.ofMillis(249));
    assertThat(of("b").connects).isZero();
    channel.advance(Duration.ofMillis(1));
    assertThat(of("b").connects).isOne();
    channel.advance(Duration.ofMillis(250));
    assertThat(of("c").connects).isOne();
    assertThat(of("a").shutDown).isFalse();
    of("a").is(SubchannelState.READY);
    assertUsing(of("a"));
    assertThat(of("b").shutDown).isTrue();
    assertThat(of("c").shutDown).isTrue();
    assertThat(channel.loop.pendingTasks()).isZero();
  }

  @Test
  void afterAFailureTheNextAddressIsTriedAtOnceWithAFullDelay() {
    resolves("a", "b", "c");
    channel.advance(Duration.ofMillis(200));
    of("a").fails("no a");
    assertThat(of("b").connects).isOne();
    channel.advance(Duration.ofMillis(249));
    assertThat(of("c").connects).isZero();
    channel.advance(Duration.ofMillis(1));
    assertThat(of("c").connects).isOne();
    of("b").fails("no b");
    assertWaiting();
    of("c").fails("no c");
    assertThat(failure()).endsWith("no a; no b; no c");
  }

  @Test
  void aSingleAddressNeedsNoTimer() {
    resolves("a");
    assertThat(channel.loop.pendingTasks()).isZero();
  }

  @Test
  void ipv6AndIpv4AlternateStartingWithTheFamilyOfTheFirst() throws UnknownHostException {
    assertThat(orderOf("::1", "::2", "::3", "192.0.2.1", "192.0.2.2"))
        .containsExactly("::1", "192.0.2.1", "::2", "192.0.2.2", "::3");
    assertThat(orderOf("192.0.2.1", "192.0.2.2", "::1"))
        .containsExactly("192.0.2.1", "::1", "192.0.2.2");
  }

  private static List<String> orderOf(String... hosts) throws UnknownHostException {
    FakeChannel fresh = new FakeChannel();
    List<Endpoint> endpoints = new ArrayList<>();
    for (String host : hosts) {
      endpoints.add(Endpoint.of(new InetSocketAddress(InetAddress.getByName(host), 1)));
    }
    LoadBalancerProvider.pickFirst().create(fresh).onResolved(Resolution.of(endpoints));
    fresh.advance(Duration.ofSeconds(3));
    return fresh.connected.stream()
        .map(it -> ((InetSocketAddress) it.address()).getAddress().getHostAddress())
        .map(it -> it.replace("0:0:0:0:0:0:0:", "::"))
        .toList();
  }

  @Test
  void withShuffledOrderClientsStartWithDifferentEndpoints() {
    Set<SocketAddress> first = new HashSet<>();
    for (int seed = 0; seed < 50; seed++) {
      FakeChannel client = new FakeChannel(seed);
      LoadBalancerProvider.pickFirst(AddressOrder.SHUFFLED)
          .create(client)
          .onResolved(FakeChannel.endpoints("a", "b", "c"));
      first.add(client.connected.getFirst().address());
    }
    assertThat(first).hasSize(3);
  }

  @Test
  void withShuffledOrderAClientStartsWithAnotherEndpointAfterALoss() {
    Set<SocketAddress> second = new HashSet<>();
    for (int seed = 0; seed < 50; seed++) {
      FakeChannel client = new FakeChannel(seed);
      LoadBalancer shuffled = LoadBalancerProvider.pickFirst(AddressOrder.SHUFFLED).create(client);
      shuffled.onResolved(FakeChannel.endpoints("a", "b", "c"));
      FakeAddress first = client.connected.getFirst();
      first.is(SubchannelState.READY);
      first.is(SubchannelState.IDLE);
      shuffled.exitIdle();
      if (!first.equals(client.connected.getLast())) {
        second.add(client.connected.getLast().address());
      }
    }
    assertThat(second).hasSize(3);
  }

  @Test
  void whileItBacksOffNewAddressesAreTriedAtOnce() {
    resolves("a");
    of("a").fails("no a");
    resolves("b");
    assertThat(of("b").connects).isOne();
    of("b").is(SubchannelState.READY);
    assertUsing(of("b"));
  }

  @Test
  void aConnectionEjectedByAParentPolicyFailsCallsUntilItReturns() {
    FakeAddress a = using("a");
    a.is(SubchannelState.failed(Status.UNAVAILABLE.withDescription("ejected")));
    assertThat(failure())
        .isEqualTo(
            "UNAVAILABLE: the connection to target at " + a.address() + " is not used: ejected");
    assertThat(a.shutDown).isFalse();
    a.is(SubchannelState.READY);
    assertUsing(a);
  }
}
