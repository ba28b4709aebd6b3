package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Policies with a connection to each endpoint ask for its health (gRFC A17). */
final class HealthChecksTest {
  private static final byte STATUS = 1 << 3;
  private static final byte SERVING = 1;
  private static final byte NOT_SERVING = 2;
  private static final Status UNIMPLEMENTED = Status.UNIMPLEMENTED.withDescription("no such");

  private final FakeChannel channel = new FakeChannel();
  private final LoadBalancer policy = LoadBalancerProvider.roundRobin().create(channel);

  private FakeAddress.Watched connect(String service) {
    channel.healthCheckService = Optional.of(service);
    policy.onResolved(FakeChannel.endpoints("a"));
    channel.of("a").becomesReady();
    return watch();
  }

  private FakeAddress.Watched watch() {
    return channel.of("a").watches.getLast();
  }

  @Test
  void thereAreNoHealthChecksWithoutAConfig() {
    policy.onResolved(FakeChannel.endpoints("a"));
    channel.of("a").becomesReady();
    assertThat(channel.of("a").watches).isEmpty();
    assertThat(channel.picked()).isEqualTo("a");
  }

  @Test
  void anEndpointGetsNoCallsBeforeItReportsServing() {
    FakeAddress.Watched watch = connect("shop.Cart");
    assertThat(watch.method).isEqualTo("grpc.health.v1.Health/Watch");
    assertThat(watch.request).asString().isEqualTo("\n\tshop.Cart");
    assertThat(channel.state()).isEqualTo(ConnectivityState.CONNECTING);
    assertThat(channel.picked()).isEqualTo("wait");
    watch.says(STATUS, SERVING);
    assertThat(channel.state()).isEqualTo(ConnectivityState.READY);
    assertThat(channel.picked()).isEqualTo("a");
  }

  @Test
  void theWholeServerIsAskedForByTheEmptyName() {
    assertThat(connect("").request).isEmpty();
  }

  @Test
  void aServerThatDoesNotServeGetsNoCallsAndKeepsItsConnection() {
    FakeAddress.Watched watch = connect("shop.Cart");
    watch.says(STATUS, NOT_SERVING);
    assertThat(channel.state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    assertThat(channel.picked()).contains("UNAVAILABLE", "shop.Cart", "NOT_SERVING");
    assertThat(channel.of("a").shutDown).isFalse();
    watch.says(STATUS, SERVING);
    assertThat(channel.picked()).isEqualTo("a");
    watch.says(); // UNKNOWN is the default
    assertThat(channel.picked()).contains("UNKNOWN");
    watch.says(STATUS, (byte) 3);
    assertThat(channel.picked()).contains("SERVICE_UNKNOWN");
    watch.says(STATUS, (byte) 77);
    assertThat(channel.picked()).contains("status 77");
    watch.says((byte) 7);
    assertThat(channel.picked()).contains("an unreadable response");
  }

  @Test
  void otherEndpointsStillGetCalls() {
    channel.healthCheckService = Optional.of("");
    policy.onResolved(FakeChannel.endpoints("a", "b"));
    channel.of("a").becomesReady();
    channel.of("b").becomesReady();
    channel.of("a").watches.getLast().says(STATUS, NOT_SERVING);
    channel.of("b").watches.getLast().says(STATUS, SERVING);
    assertThat(channel.picked(4)).containsOnly("b");
  }

  @Test
  void aServerWithoutAHealthServiceGetsCalls() {
    connect("").watcher.onEnded(UNIMPLEMENTED);
    assertThat(channel.picked()).isEqualTo("a");
  }

  @Test
  void afterACheckHasFailedTheEndpointFailsUntilTheNextAnswer() {
    FakeAddress.Watched watch = connect("");
    watch.says(STATUS, SERVING);
    watch.watcher.onEnded(Status.INTERNAL.withDescription("broken"));
    assertThat(channel.picked()).contains("INTERNAL: broken");
    watch.watcher.onOpened();
    assertThat(channel.state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    watch.says(STATUS, SERVING);
    assertThat(channel.picked()).isEqualTo("a");
  }

  @Test
  void aNewConnectionIsCheckedAgain() {
    FakeAddress.Watched watch = connect("");
    watch.says(STATUS, SERVING);
    channel.of("a").is(SubchannelState.IDLE);
    channel.of("a").becomesReady();
    assertThat(channel.of("a").watches).hasSize(1); // the subchannel keeps it
    assertThat(channel.picked()).isEqualTo("wait");
    watch.says(STATUS, SERVING);
    assertThat(channel.picked()).isEqualTo("a");
  }

  @Test
  void anEndpointThatHasFailedFailsUntilItReportsServing() {
    channel.healthCheckService = Optional.of("");
    policy.onResolved(FakeChannel.endpoints("a"));
    channel.of("a").fails("refused");
    channel.of("a").is(SubchannelState.IDLE);
    channel.of("a").becomesReady();
    assertThat(channel.state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    assertThat(channel.picked()).contains("refused");
    watch().says(STATUS, SERVING);
    assertThat(channel.picked()).isEqualTo("a");
  }

  @Test
  void aChangedServiceNameRestartsTheCheckAndNoNameEndsIt() {
    FakeAddress.Watched first = connect("one");
    first.says(STATUS, NOT_SERVING);
    channel.healthCheckService = Optional.of("two");
    policy.onResolved(FakeChannel.endpoints("a"));
    assertThat(first.stopped).isTrue();
    assertThat(watch().request).asString().isEqualTo("\n\u0003two");
    assertThat(channel.picked()).contains("NOT_SERVING"); // until two has said something
    channel.healthCheckService = Optional.empty();
    FakeAddress.Watched second = watch();
    policy.onResolved(FakeChannel.endpoints("a"));
    assertThat(second.stopped).isTrue();
    assertThat(channel.picked()).isEqualTo("a");
  }

  @Test
  void ofTwoConnectionsToAnEndpointThatAreReadyTogetherTheOneInUseIsChecked() {
    channel.healthCheckService = Optional.of("");
    policy.onResolved(
        Resolution.of(List.of(Endpoint.of(List.of(FakeChannel.at("a"), FakeChannel.at("b"))))));
    channel.advance(Duration.ofMillis(250));
    channel.of("a").becomesReady();
    FakeAddress dropped = channel.of("b");
    assertThat(dropped.connects).isOne();
    dropped.listener.onState(dropped, SubchannelState.READY); // was on its way
    assertThat(dropped.watches).isEmpty();
    watch().says(STATUS, SERVING);
    assertThat(channel.picked()).isEqualTo("a");
  }

  @Test
  void theCheckOfARemovedEndpointIsStopped() {
    FakeAddress.Watched watch = connect("");
    policy.onResolved(FakeChannel.endpoints("b"));
    assertThat(watch.stopped).isTrue();
  }

  @Test
  void anEjectedEndpointKeepsItsHealth() {
    LoadBalancer judged =
        LoadBalancerProvider.outlierDetection(
                OutlierDetectionSettings.DEFAULT, LoadBalancerProvider.roundRobin())
            .create(channel);
    channel.healthCheckService = Optional.of("");
    judged.onResolved(FakeChannel.endpoints("a"));
    channel.of("a").becomesReady();
    watch().says(STATUS, SERVING);
    channel.of("a").is(SubchannelState.failed(Status.UNAVAILABLE.withDescription("ejected")));
    assertThat(channel.picked()).contains("ejected");
    channel.of("a").is(SubchannelState.READY);
    assertThat(channel.picked()).isEqualTo("a");
  }
}
