package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A peer that disappeared silently is detected, and a connection to a live peer stays open. */
final class KeepaliveTest {
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();
  private static final Duration MOMENT = Duration.ofNanos(1);

  /** Of five minutes between pings, where they come every one, two and four minutes. */
  private static final List<Integer> MINUTES_TO_THREE_STRIKES = List.of(4, 10, 24);

  private final HeldCalls held = new HeldCalls();
  private final Simulation simulation =
      new Simulation().with(Texts.BIDI, held).with(Texts.UNARY, held);

  private void serve(UnaryOperator<ServerBuilder> options) {
    Simulation.start(options.apply(simulation.serverBuilder()));
  }

  private ManagedChannel channel(UnaryOperator<ManagedChannelBuilder> options) {
    return options.apply(simulation.channelBuilder()).build();
  }

  private MadeCall opened(ManagedChannel channel) {
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    return call;
  }

  @Test
  void aCallIsUnavailableWhenItsServerStopsResponding() {
    serve(server -> server);
    MadeCall call = opened(channel(to -> to.keepAliveTime(Duration.ofSeconds(30))));
    simulation.network().stall();
    simulation.advance(Duration.ofSeconds(50).minus(MOMENT));
    assertThat(call.isClosed()).isFalse();
    simulation.advance(MOMENT);
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.words())
        .isEqualTo("keepalive: no answer to PING within 20 s (keepAliveTimeout)");
  }

  @Test
  void aSilentPeerIsNotCountedAsAFault() {
    Server server =
        Simulation.start(simulation.serverBuilder().keepAliveTime(Duration.ofSeconds(30)));
    ManagedChannel channel = channel(to -> to.keepAliveTime(Duration.ofSeconds(30)));
    opened(channel);
    simulation.network().stall();
    simulation.advance(Duration.ofMinutes(1));
    assertThat(held.only().cancels()).isOne();
    assertThat(server.peerFaults()).isEmpty();
    assertThat(channel.peerFaults()).isEmpty();
  }

  @Test
  void theNextCallGoesToANewConnection() {
    serve(server -> server);
    ManagedChannel channel = channel(to -> to.keepAliveTime(Duration.ofSeconds(30)));
    opened(channel);
    simulation.network().stall();
    simulation.advance(Duration.ofMinutes(1));
    simulation.network().resume();
    MadeCall next = opened(channel);
    assertThat(next.isClosed()).isFalse();
    assertThat(simulation.network().connectAttempts()).isEqualTo(2);
    assertThat(held.all()).hasSize(2);
  }

  @Test
  void theTimeoutIsConfigurable() {
    serve(server -> server);
    MadeCall call =
        opened(
            channel(to ->
                to.keepAliveTime(Duration.ofSeconds(30)).keepAliveTimeout(Duration.ofSeconds(2))));
    simulation.network().stall();
    simulation.advance(Duration.ofSeconds(32));
    assertThat(call.words()).contains("within 2 s");
  }

  @Test
  void aChannelPingsAtMostEveryTenSeconds() {
    serve(server -> server);
    MadeCall call = opened(channel(to -> to.keepAliveTime(Duration.ofSeconds(1))));
    simulation.network().stall();
    simulation.advance(Duration.ofSeconds(30).minus(MOMENT));
    assertThat(call.isClosed()).isFalse();
    simulation.advance(MOMENT);
    assertThat(call.isClosed()).isTrue();
  }

  @Test
  void withoutKeepaliveASilentPeerIsNotDetected() {
    serve(server -> server.keepAliveTime(FOREVER));
    MadeCall call = opened(channel(to -> to));
    MadeCall other =
        opened(channel(to -> to.keepAliveTime(Duration.ofMinutes(1)).keepAliveTime(FOREVER)));
    simulation.network().stall();
    simulation.advance(Duration.ofMinutes(9));
    assertThat(call.isClosed()).isFalse();
    assertThat(other.isClosed()).isFalse();
  }

  @Test
  void aChannelWithoutCallsIsNotWatched() {
    serve(server -> server.keepAliveTime(FOREVER));
    ManagedChannel channel =
        channel(to -> to.keepAliveTime(Duration.ofSeconds(30)).idleTimeout(FOREVER));
    opened(channel).call().cancel("enough");
    simulation.run();
    simulation.network().stall();
    simulation.advance(Duration.ofHours(1));
    simulation.network().resume();
    opened(channel);
    assertThat(simulation.network().connectAttempts()).isOne();
  }

  @Test
  void aChannelWithoutCallsMayBeWatched() {
    serve(server -> server.keepAliveTime(FOREVER));
    ManagedChannel channel =
        channel(to -> to.keepAliveTime(Duration.ofSeconds(30)).keepAliveWithoutCalls(true));
    opened(channel).call().cancel("enough");
    simulation.run();
    simulation.network().stall();
    simulation.advance(Duration.ofMinutes(1));
    simulation.network().resume();
    opened(channel);
    assertThat(simulation.network().connectAttempts()).isEqualTo(2);
  }

  @Test
  void aClientThatIsGoneWithoutAWordLosesItsCalls() {
    serve(server -> server.keepAliveTime(Duration.ofMinutes(1)));
    opened(channel(to -> to));
    simulation.network().stall();
    simulation.advance(Duration.ofSeconds(80).minus(MOMENT));
    assertThat(held.only().cancels()).isZero();
    simulation.advance(MOMENT);
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void byDefaultAServerPingsAfterTwoHours() {
    serve(server -> server);
    opened(channel(to -> to));
    simulation.network().stall();
    simulation.advance(Duration.ofHours(2).plusSeconds(20));
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void aClientThatAnswersIsKept() {
    serve(server -> server.keepAliveTime(Duration.ofMinutes(1)));
    MadeCall call = opened(channel(to -> to));
    simulation.advance(Duration.ofDays(1));
    assertThat(call.isClosed()).isFalse();
    assertThat(simulation.network().openConnections()).isOne();
  }

  @Test
  void aClientThatPingedTooOftenPingsHalfAsOftenNextTime() {
    serve(server -> server);
    ManagedChannel channel = channel(to -> to.keepAliveTime(Duration.ofMinutes(1)));
    for (int minutes : MINUTES_TO_THREE_STRIKES) {
      MadeCall call = opened(channel);
      simulation.advance(Duration.ofMinutes(minutes).minus(MOMENT));
      assertThat(call.isClosed()).isFalse();
      simulation.advance(MOMENT);
      assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    }
    MadeCall last = opened(channel);
    simulation.advance(Duration.ofDays(1));
    assertThat(last.isClosed()).isFalse();
  }

  @Test
  void aServerMayPermitMorePings() {
    serve(server -> server.permitKeepAliveTime(Duration.ofSeconds(10)));
    MadeCall call = opened(channel(to -> to.keepAliveTime(Duration.ofSeconds(10))));
    simulation.advance(Duration.ofHours(1));
    assertThat(call.isClosed()).isFalse();
  }

  @Test
  void aServerMayPermitMorePingsWithoutCalls() {
    serve(server ->
        server.permitKeepAliveTime(Duration.ofSeconds(10)).permitKeepAliveWithoutCalls(true));
    ManagedChannel channel =
        channel(to ->
            to.keepAliveTime(Duration.ofSeconds(10))
                .keepAliveWithoutCalls(true)
                .idleTimeout(FOREVER));
    opened(channel).call().cancel("enough");
    simulation.advance(Duration.ofHours(1));
    assertThat(simulation.network().openConnections()).isOne();
  }

  @Test
  void timesThatAreNotPositiveAreRefused() {
    ManagedChannelBuilder channel = simulation.channelBuilder();
    ServerBuilder server = simulation.serverBuilder();
    Duration none = Duration.ZERO;
    Duration negative = Duration.ofNanos(-1);
    assertThatThrownBy(() -> channel.keepAliveTime(none)).hasMessageContaining("keepAliveTime");
    assertThatThrownBy(() -> channel.keepAliveTimeout(none))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("keepAliveTimeout");
    assertThatThrownBy(() -> server.keepAliveTime(none)).hasMessageContaining("keepAliveTime");
    assertThatThrownBy(() -> server.permitKeepAliveTime(negative))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("permitKeepAliveTime");
    assertThatThrownBy(() -> server.maxConnectionIdle(none)).hasMessageContaining("maxConnection");
    assertThatThrownBy(() -> server.maxConnectionAge(none)).hasMessageContaining("maxConnection");
    assertThatThrownBy(() -> server.maxConnectionAgeGrace(negative)).hasMessageContaining("Grace");
  }
}
