package dev.gannet.client.subchannel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.FakeConnector;
import dev.gannet.client.TestChannel;
import dev.gannet.client.TestResolver;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.resolver.Endpoint;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A connection of a subchannel, as its channel's snapshots show it. */
final class SubchannelConnectionTest {
  private final TestChannel test = new TestChannel();
  private final SubchannelOwner channel = new SubchannelOwner(test);

  /** The phases of its connections at each state that the subchannel reports. */
  private final List<String> phases = new ArrayList<>();

  private final ManagedSubchannel subchannel =
      new ManagedSubchannel(
          test.settings(),
          channel,
          Runnable::run,
          Endpoint.of(TestResolver.address(1)),
          (it, state) -> phases.add(state + " " + phases()),
          CallTracker.NONE);

  private List<ConnectionValues.Phase> phases() {
    return subchannel.values().connections().stream().map(ConnectionValues::phase).toList();
  }

  private FakeConnector.Dial opens() {
    subchannel.connect();
    FakeConnector.Dial dial = test.dial();
    dial.opens();
    return dial;
  }

  @Test
  void aConnectionStartsCarriesCallsAndDrains() {
    FakeConnector.Dial dial = opens();
    assertThat(phases()).containsExactly(ConnectionValues.Phase.STARTING);
    dial.then.onReady();
    assertThat(phases()).containsExactly(ConnectionValues.Phase.READY);
    dial.goesAway();
    assertThat(phases()).containsExactly(ConnectionValues.Phase.DRAINING);
    dial.isGone("done");
    assertThat(phases()).isEmpty();
  }

  @Test
  void aConnectionThatGoesAwayBeforeItIsUsedIsDrainingAtOnce() {
    FakeConnector.Dial dial = opens();
    channel.tasks.run(() -> {
      dial.then.onReady();
      dial.goesAway();
    });
    assertThat(phases).containsExactly("CONNECTING []", "READY [DRAINING]", "IDLE [DRAINING]");
    assertThat(subchannel.transport()).isNull();
  }

  @Test
  void theLimitOfTheServerIsThatOfTheConnectionFromTheBeginning() {
    FakeConnector.Dial dial = opens();
    assertThat(subchannel.values().connections().getFirst().maxConcurrentStreams()).isEmpty();
    dial.then.onMaxConcurrentStreams(7);
    assertThat(subchannel.values().connections().getFirst().maxConcurrentStreams()).hasValue(7);
  }
}
