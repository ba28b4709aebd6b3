package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Servers and channels shut down gracefully or at once, and report when they have terminated. */
final class ShutdownTest {
  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();
  private Server server = simulation.serve();
  private ManagedChannel channel = simulation.channel();

  @BeforeEach
  void serveTexts() {
    server.shutdownNow();
    simulation.with(Texts.BIDI, held).with(Texts.UNARY, held);
    server = simulation.serve();
    channel = simulation.channel();
  }

  @AfterEach
  void everythingIsGivenBack() {
    channel.shutdownNow();
    server.shutdownNow();
    simulation.run();
    assertThat(server.isTerminated()).isTrue();
    assertThat(channel.isTerminated()).isTrue();
    assertThat(simulation.network().openConnections()).isZero();
    assertThat(simulation.network().bytesUnderWay()).isZero();
  }

  @Test
  void aServerThatShutsDownLetsItsCallsEnd() {
    MadeCall running = MadeCall.start(channel, Texts.BIDI).wants(5).says("a");
    simulation.run();
    server.shutdown();
    simulation.run();
    assertThat(server.isShutdown()).isTrue();
    assertThat(server.isTerminated()).isFalse();
    assertThat(running.isClosed()).isFalse();

    running.says("b").halfCloses();
    simulation.run();
    assertThat(held.only().messages()).containsExactly("a", "b");
    held.only().answers("c");
    held.only().ends();
    simulation.run();
    assertThat(running.messages()).containsExactly("c");
    assertThat(running.status()).isEqualTo(Status.OK);
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void aStreamCanBeNotifiedThatItsServerDrains() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    CallContext context = held.only().call().context();
    context.onServerDraining(held.only()::ends);
    assertThat(context.isServerDraining()).isFalse();
    server.shutdown();
    simulation.run();
    assertThat(context.isServerDraining()).isTrue();
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void aDrainActionAddedDuringADrainRunsAtOnce() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    server.shutdown();
    held.only().call().context().onServerDraining(held.only()::ends);
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void drainActionsOfEndedCallsDoNotRun() {
    List<String> told = new ArrayList<>();
    for (String name : List.of("answered", "cancelled", "taken back", "asks when it is over")) {
      MadeCall call = MadeCall.start(channel, Texts.BIDI);
      simulation.run();
      HeldCall its = held.all().getLast();
      CallContext context = its.call().context();
      switch (name) {
        case "answered" -> {
          context.onServerDraining(() -> told.add(name));
          its.ends();
        }
        case "cancelled" -> {
          context.onServerDraining(() -> told.add(name));
          call.call().cancel(name);
        }
        case "taken back" -> context.onServerDraining(() -> told.add(name)).close();
        default -> {
          its.ends();
          simulation.run();
          context.onServerDraining(() -> told.add(name));
        }
      }
      simulation.run();
    }
    server.shutdown();
    assertThat(told).isEmpty();
    held.all().get(2).ends();
  }

  @Test
  void aServerThatShutsDownAcceptsNoNewCalls() {
    MadeCall running = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    server.shutdown();
    simulation.run();
    MadeCall late = MadeCall.whole(channel, Texts.UNARY, "late");
    simulation.run();
    assertThat(late.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(held.all()).hasSize(1);
    assertThat(running.isClosed()).isFalse();
  }

  @Test
  void callsThatAreOnTheirWayWhenTheServerShutsDownAreServed() {
    MadeCall first = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    simulation.network().stall();
    server.shutdown();
    MadeCall onItsWay = MadeCall.whole(channel, Texts.UNARY, "on its way").wants(1);
    simulation.run();
    simulation.network().resume();
    simulation.run();
    assertThat(held.all()).hasSize(2);
    held.all().getLast().answers("served");
    held.all().getLast().ends();
    held.all().getFirst().ends();
    simulation.run();
    assertThat(onItsWay.messages()).containsExactly("served");
    assertThat(first.status()).isEqualTo(Status.OK);
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void anotherServerOnThePortTakesOver() {
    MadeCall running = MadeCall.start(channel, Texts.BIDI).wants(1);
    simulation.run();
    server.shutdown();
    Server next = simulation.serve();
    simulation.run();
    MadeCall elsewhere = MadeCall.whole(channel, Texts.UNARY, "elsewhere");
    simulation.run();
    assertThat(held.all()).hasSize(2);
    held.all().forEach(call -> call.answers("served"));
    held.all().forEach(HeldCall::ends);
    simulation.run();
    assertThat(elsewhere.status()).isEqualTo(Status.OK);
    assertThat(running.status()).isEqualTo(Status.OK);
    assertThat(server.isTerminated()).isTrue();
    assertThat(next.isTerminated()).isFalse();
    next.shutdown();
  }

  @Test
  void anIdleServerTerminatesAtOnce() {
    MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    held.only().answers("");
    held.only().ends();
    simulation.run();
    server.shutdown();
    simulation.run();
    assertThat(server.isTerminated()).isTrue();
    assertThat(simulation.network().openConnections()).isZero();
  }

  @Test
  void aServerThatIsShutDownAtOnceCancelsItsCalls() {
    MadeCall streaming = MadeCall.start(channel, Texts.BIDI);
    MadeCall unary = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    server.shutdownNow();
    simulation.run();
    assertThat(server.isTerminated()).isTrue();
    assertThat(streaming.isClosed()).isTrue();
    assertThat(streaming.status().isOk()).isFalse();
    assertThat(unary.status().isOk()).isFalse();
    assertThat(held.all()).hasSize(2).allMatch(call -> call.cancels() == 1);
  }

  @Test
  void callsOfAServerThatIsShutDownAtOnceAreUnavailable() {
    MadeCall streaming = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    server.shutdownNow();
    simulation.run();
    assertThat(streaming.code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void aGracefulShutdownCanBeCutShort() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    server.shutdown();
    simulation.run();
    server.shutdownNow();
    simulation.run();
    assertThat(call.isClosed()).isTrue();
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void aHandlerOfACancelledCallDoesNotDelayTheEndOfTheServer() {
    MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    server.shutdownNow();
    simulation.run();
    held.only().answers("nobody hears this");
    held.only().ends();
    simulation.run();
    assertThat(server.isTerminated()).isTrue();
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void aChannelThatShutsDownLetsItsCallsEnd() {
    MadeCall running = MadeCall.start(channel, Texts.BIDI).wants(1);
    simulation.run();
    channel.shutdown();
    simulation.run();
    assertThat(channel.isShutdown()).isTrue();
    assertThat(channel.isTerminated()).isFalse();
    running.says("a").halfCloses();
    simulation.run();
    held.only().answers("b");
    held.only().ends();
    simulation.run();
    assertThat(running.messages()).containsExactly("b");
    assertThat(running.status()).isEqualTo(Status.OK);
    assertThat(channel.isTerminated()).isTrue();
    assertThat(simulation.network().openConnections()).isZero();
  }

  @Test
  void aCallOnAClosedChannelIsUnavailable() {
    channel.shutdown();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.words()).contains("shut down");
    assertThat(channel.isTerminated()).isTrue();
    assertThat(simulation.network().connectAttempts()).isZero();
  }

  @Test
  void aChannelThatIsShutDownAtOnceCancelsItsCalls() {
    MadeCall streaming = MadeCall.start(channel, Texts.BIDI);
    MadeCall unary = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    channel.shutdownNow();
    simulation.run();
    assertThat(streaming.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(unary.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(held.all()).hasSize(2).allMatch(call -> call.cancels() == 1);
    assertThat(channel.isTerminated()).isTrue();
  }

  @Test
  void callsThatWaitForAConnectionEndWithTheirChannel() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    channel.shutdownNow();
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.heard().closes()).isOne();
    assertThat(simulation.network().openConnections()).isZero();
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aConnectionThatOpensTooLateForItsChannelIsClosed() {
    Simulation slow =
        new Simulation(0, SimulatedWire.INSTANT.withLatency(Duration.ofSeconds(1)))
            .with(Texts.UNARY, held);
    Server far = slow.serve();
    ManagedChannel closing = slow.channel();
    MadeCall.whole(closing, Texts.UNARY, "");
    slow.advance(Duration.ofMillis(500));
    closing.shutdownNow();
    slow.advance(Duration.ofMinutes(1));
    assertThat(slow.network().openConnections()).isZero();
    assertThat(closing.isTerminated()).isTrue();
    far.shutdown();
    assertThat(far.isTerminated()).isTrue();
  }

  @Test
  void shuttingDownTwiceIsOneShutdown() {
    MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    held.only().ends(Status.ABORTED);
    server.shutdown().shutdown();
    channel.shutdown().shutdown();
    simulation.run();
    assertThat(server.isTerminated()).isTrue();
    assertThat(channel.isTerminated()).isTrue();
  }
}
