package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A policy of an application that only chooses among the endpoints that are ready. */
final class EndpointChooserTest {
  private static final Attributes.Key<String> ZONE = Attributes.Key.of("zone");

  private final FakeChannel channel = new FakeChannel();
  private final NearestZone chooser = new NearestZone("here");
  private final LoadBalancer policy = LoadBalancer.overReadyEndpoints(channel, chooser);

  /** Calls go to an endpoint of the client's own zone while one is ready. */
  private static final class NearestZone implements EndpointChooser<CallTracker> {
    private final List<String> events = new ArrayList<>();
    private Runnable update = () -> {};
    private String zone;

    NearestZone(String zone) {
      this.zone = zone;
    }

    @Override
    public void start(Runnable update) {
      this.update = update;
    }

    @Override
    public void onResolved(Resolution.Resolved resolved) {
      resolved.attributes().get(ZONE).ifPresent(it -> zone = it);
    }

    @Override
    public CallTracker newTracker(Endpoint endpoint) {
      events.add("new in " + zoneOf(endpoint));
      return CallTracker.NONE;
    }

    @Override
    public Picker among(List<ReadyEndpoint<CallTracker>> ready) {
      return ready.stream()
          .filter(it -> zoneOf(it.endpoint()).equals(zone))
          .findFirst()
          .orElse(ready.getFirst())
          .picker();
    }

    @Override
    public void onReady(ReadyEndpoint<CallTracker> endpoint) {
      assertThat(endpoint.endpoint().addresses()).contains(endpoint.subchannel().address());
      events.add("ready in " + zoneOf(endpoint.endpoint()));
    }

    @Override
    public void shutdown() {
      events.add("shutdown");
    }
  }

  private static String zoneOf(Endpoint endpoint) {
    return endpoint.attributes().get(ZONE).orElse("unknown");
  }

  private static Endpoint endpoint(String host, String zone) {
    Endpoint plain = FakeChannel.endpoints(host).endpoints().getFirst();
    return plain.withAttributes(Attributes.EMPTY.with(ZONE, zone));
  }

  private void resolves(Endpoint... endpoints) {
    policy.onResolved(Resolution.of(Arrays.asList(endpoints)));
  }

  @Test
  void theChooserDecidesWhereCallsGo() {
    resolves(endpoint("a", "there"), endpoint("b", "here"));
    channel.of("a").becomesReady();
    assertThat(channel.picked()).isEqualTo("a");
    channel.of("b").becomesReady();
    assertThat(channel.picked()).isEqualTo("b");
    channel.of("b").is(SubchannelState.IDLE);
    assertThat(channel.picked()).isEqualTo("a");
  }

  @Test
  void theChooserIsAskedAgainWhenOnlyAttributesChange() {
    resolves(endpoint("a", "there"), endpoint("b", "here"));
    channel.of("a").becomesReady();
    channel.of("b").becomesReady();
    resolves(endpoint("a", "here"), endpoint("b", "there"));
    assertThat(channel.picked()).isEqualTo("a");
  }

  @Test
  void theChooserMayHaveItselfAskedAgain() {
    resolves(endpoint("a", "there"), endpoint("b", "here"));
    channel.of("a").becomesReady();
    channel.of("b").becomesReady();
    chooser.zone = "there";
    assertThat(channel.picked()).isEqualTo("b");
    chooser.update.run();
    channel.loop.runUntilIdle();
    assertThat(channel.picked()).isEqualTo("a");
  }

  @Test
  void theChooserSeesTheAttributesOfTheWholeResult() {
    policy.onResolved(
        Resolution.of(List.of(endpoint("a", "here"), endpoint("b", "there")))
            .withAttributes(Attributes.EMPTY.with(ZONE, "there")));
    channel.of("a").becomesReady();
    channel.of("b").becomesReady();
    assertThat(channel.picked()).isEqualTo("b");
  }

  @Test
  void theChooserIsToldOfReadyEndpointsAndOfTheEnd() {
    resolves(endpoint("a", "there"));
    channel.of("a").becomesReady();
    policy.shutdown();
    assertThat(chooser.events).containsExactly("new in there", "ready in there", "shutdown");
  }

  @Test
  void nothingHappensAfterTheShutdownOfAPolicyWithinAnother() {
    int[] published = {0};
    LoadBalancer.Context ofParent =
        new ForwardingContext() {
          @Override
          public LoadBalancer.Context context() {
            return channel;
          }

          @Override
          public void updateState(ConnectivityState state, Picker next) {
            published[0]++;
          }
        };
    NearestZone inner = new NearestZone("here");
    LoadBalancer child = LoadBalancer.overReadyEndpoints(ofParent, inner);
    child.onResolved(Resolution.of(List.of(endpoint("a", "here"))));
    channel.of("a").becomesReady();
    child.shutdown();
    int before = published[0];
    inner.update.run();
    channel.loop.runUntilIdle();
    assertThat(published[0]).isEqualTo(before);
  }
}
