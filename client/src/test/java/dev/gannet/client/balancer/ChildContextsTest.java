package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Each child of a policy learns by itself that calls need a connection. */
final class ChildContextsTest {
  private final FakeChannel channel = new FakeChannel();
  private final ChildContexts contexts = ChildContexts.of(channel);
  private final LoadBalancer.Context first = contexts.newContext();
  private final LoadBalancer.Context second = contexts.newContext();

  /** A call has failed: the channel says so once. */
  private void aCallFails(LoadBalancer.Context asks) {
    channel.wanted = true;
    assertThat(asks.takeWanted()).isTrue();
    channel.wanted = false;
  }

  @Test
  void noneIsToldWhileNoCallNeedsAConnection() {
    assertThat(first.takeWanted()).isFalse();
    assertThat(second.takeWanted()).isFalse();
  }

  @Test
  void eachIsToldOnceWhicheverAsksFirst() {
    aCallFails(first);
    assertThat(second.takeWanted()).isTrue();
    assertThat(first.takeWanted()).isFalse();
    assertThat(second.takeWanted()).isFalse();
    aCallFails(second);
    aCallFails(second);
    assertThat(first.takeWanted()).isTrue();
    assertThat(first.takeWanted()).isFalse();
  }

  @Test
  void allAreToldAgainWhileCallsWait() {
    channel.wanted = true;
    for (int i = 0; i < 3; i++) {
      assertThat(first.takeWanted()).isTrue();
      assertThat(second.takeWanted()).isTrue();
    }
  }

  @Test
  void aNewChildIsNotToldOfWhatWasBefore() {
    aCallFails(first);
    assertThat(contexts.newContext().takeWanted()).isFalse();
  }

  @Test
  void pickFirstsThatShareAChannelAllConnectAgainAfterTheirBackoffs() {
    LoadBalancer one = LoadBalancerProvider.pickFirst().create(first);
    LoadBalancer other = LoadBalancerProvider.pickFirst().create(second);
    one.onResolved(FakeChannel.endpoints("a"));
    other.onResolved(FakeChannel.endpoints("b"));
    channel.of("a").fails("no a");
    channel.of("b").fails("no b");
    channel.wanted = true;
    channel.of("a").is(SubchannelState.IDLE);
    channel.wanted = false;
    channel.of("b").is(SubchannelState.IDLE);
    assertThat(channel.of("a").connects).isEqualTo(2);
    assertThat(channel.of("b").connects).isEqualTo(2);
  }
}
