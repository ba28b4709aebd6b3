package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.protocol.MessageEncoding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The watch of a server's health uses one of the streams that the server allows (gRFC A17). */
final class WatchStreamsTest {
  private static final String SERVING = "\b\u0001";

  private final TestChannel test = new TestChannel();

  private void resolvesWith(int connections, boolean health) {
    ServiceConfig.Builder config =
        ServiceConfig.builder()
            .loadBalancer(LoadBalancerProvider.roundRobin())
            .maxConnectionsPerSubchannel(connections);
    if (health) {
      config.healthCheckService("");
    }
    test.resolver.answer =
        Optional.of(config.build().addTo((Resolution.Resolved) TestResolver.endpoints(1)));
    test.resolver.made.forEach(it -> it.listener.onResult(test.resolver.answer.orElseThrow()));
  }

  private void mayHave(int connections) {
    resolvesWith(connections, true);
  }

  /** The connection becomes ready, and takes so many streams. */
  private FakeTransport becomesReady(int dial, long streams) {
    FakeConnector.Dial to = test.connector.dials.get(dial);
    to.opens();
    to.then.onMaxConcurrentStreams(streams);
    to.then.onReady();
    return to.transport;
  }

  private static void serves(FakeStream<?> watch) {
    watch.answersLate(SERVING, MessageEncoding.IDENTITY);
  }

  private FakeTransport watched(long streams) {
    test.channel().state(true);
    FakeTransport transport = becomesReady(0, streams);
    serves(transport.stream());
    return transport;
  }

  private static void ends(FakeStream<?> call) {
    call.answers("answer");
    call.endsWith(Status.OK);
  }

  private int connections() {
    return test.connector.dials.size();
  }

  @Test
  void aCallGetsAnotherConnectionIfTheWatchHasTheOnlyStream() {
    mayHave(3);
    watched(1);
    TestCall call = test.call();
    assertThat(connections()).isEqualTo(2);
    ends(becomesReady(1, 1).stream());
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aWaitingCallStartsWhenTheWatchHasEnded() {
    mayHave(2);
    FakeTransport transport = watched(1);
    test.call();
    test.dial().isRefused();
    assertThat(transport.streams).hasSize(1);
    resolvesWith(2, false);
    assertThat(transport.streams.getFirst().cancellations).hasSize(1);
    assertThat(transport.streams).hasSize(2);
    ends(transport.stream());
    test.call();
    test.call();
    assertThat(transport.streams).hasSize(3);
  }

  @Test
  void aWatchThatIsOpenedAgainHasOneStream() {
    mayHave(2);
    FakeTransport transport = watched(2);
    for (int i = 0; i < 3; i++) {
      transport.stream().endsWith(Status.OK);
      test.advance(Duration.ofSeconds(1));
      serves(transport.stream());
    }
    test.call();
    assertThat(connections()).isOne();
    test.call();
    assertThat(connections()).isEqualTo(2);
  }

  @Test
  void aWatchOfTheOnlyConnectionIsCountedOnceMoreAreAllowed() {
    mayHave(1);
    FakeTransport transport = watched(2);
    for (int i = 0; i < 3; i++) {
      mayHave(2);
      mayHave(1);
    }
    mayHave(2);
    test.call();
    assertThat(connections()).isOne();
    test.call();
    assertThat(connections()).isEqualTo(2);
    resolvesWith(2, false);
    assertThat(transport.streams).hasSize(3);
  }

  /** Answers when the test says so. */
  private static final class Late implements CallCredentials {
    private final List<CompletableFuture<Metadata>> asked = new ArrayList<>();

    @Override
    public CompletionStage<Metadata> headersFor(Request request) {
      asked.add(new CompletableFuture<>());
      return asked.getLast();
    }

    void answer() {
      asked.removeFirst().complete(new Metadata());
    }
  }

  @Test
  void aWatchThatBeginsWhileMoreConnectionsAreAllowedIsCounted() {
    Late late = new Late();
    test.callCredentials = Optional.of(late);
    mayHave(1);
    test.channel().state(true);
    FakeTransport transport = becomesReady(0, 2);
    transport.duringOpen = () -> mayHave(2);
    late.answer();
    transport.duringOpen = () -> {};
    serves(transport.stream());
    test.call();
    assertThat(connections()).isOne();
    test.call();
    assertThat(connections()).isEqualTo(2);
    transport.streams.getFirst().endsWith(Status.UNIMPLEMENTED);
    late.answer();
    late.answer();
    assertThat(transport.streams).hasSize(3);
  }

  @Test
  void aWatchMovesToTheNextConnectionAndHasItsStreamThere() {
    mayHave(2);
    FakeTransport one = watched(1);
    test.call();
    FakeTransport two = becomesReady(1, 2);
    ends(two.stream());
    test.connector.dials.getFirst().goesAway();
    assertThat(one.streams.getFirst().cancellations).hasSize(1);
    assertThat(two.streams).hasSize(2);
    serves(two.stream());
    test.call();
    assertThat(two.streams).hasSize(3);
    test.call();
    assertThat(two.streams).hasSize(3);
    assertThat(connections()).isEqualTo(3);
  }

  @Test
  void aWatchMovesToAConnectionWithAFreeStreamIfThereIsOne() {
    mayHave(3);
    watched(1);
    test.call();
    FakeTransport two = becomesReady(1, 1);
    test.call();
    FakeTransport three = becomesReady(2, 1);
    ends(three.stream());
    test.connector.dials.getFirst().goesAway();
    assertThat(two.streams).hasSize(1);
    assertThat(three.streams).hasSize(2);
  }

  @Test
  void aWatchThatCannotStartHasNoStream() {
    mayHave(2);
    test.channel().state(true);
    FakeConnector.Dial dial = test.dial();
    dial.transport.thrownBySendOfNext = Optional.of(new IllegalStateException("cannot send"));
    FakeTransport transport = becomesReady(0, 2);
    dial.transport.thrownBySendOfNext = Optional.empty();
    dial.transport.thrownByOpen = Optional.of(new AssertionError("no stream"));
    test.advance(Duration.ofMillis(1_200));
    dial.transport.thrownByOpen = Optional.empty();
    test.advance(Duration.ofSeconds(2));
    serves(transport.stream());
    int before = transport.streams.size();
    test.call();
    assertThat(connections()).isOne();
    assertThat(transport.streams).hasSize(before + 1);
    test.call();
    assertThat(connections()).isEqualTo(2);
  }

  @Test
  void aWatchThatWaitsForItsCredentialsHasNoStream() {
    Late late = new Late();
    test.callCredentials = Optional.of(late);
    mayHave(2);
    test.channel().state(true);
    FakeTransport transport = becomesReady(0, 1);
    assertThat(transport.streams).isEmpty();
    resolvesWith(2, false);
    late.answer();
    test.call();
    late.answer();
    assertThat(transport.streams).hasSize(1);
    assertThat(connections()).isOne();
  }
}
