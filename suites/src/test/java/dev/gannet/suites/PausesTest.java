package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A program that is stopped for a while, by a long collection, a debugger, or a machine that moves,
 * finds all at once what came meanwhile. No connection ends by that, and no answer is lost that
 * came in time.
 */
final class PausesTest {
  private static final int CHANNELS = 4;
  private static final int CALLS_A_SECOND = 500;
  private static final Duration PAUSE = Duration.ofSeconds(20);
  private static final Duration TICK = Duration.ofSeconds(1).dividedBy(CALLS_A_SECOND);

  /** What answers the calls. */
  enum Handlers {
    /** Inside the pass that reads the request: answers cross resets. */
    INLINE(Duration.ZERO),
    /** So late that calls run out of time under their handlers. */
    SLOW(Duration.ofSeconds(30)),
    /** On a thread of its own, a moment later. */
    OFF_LOOP(Duration.ofMillis(1));

    private final Duration delay;

    Handlers(Duration delay) {
      this.delay = delay;
    }
  }

  private final Simulation simulation =
      new Simulation(
          0,
          SimulatedWire.INSTANT
              .withLatency(Duration.ofNanos(100_000))
              .withCapacityBytes(6 << 20)); // what Linux keeps for one socket
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final List<MadeCall> calls = new ArrayList<>();

  private Server serve(Handlers handlers, UnaryOperator<ServerBuilder> options) {
    simulation.with(Texts.UNARY, new Echo(simulation, handlers.delay));
    ServerBuilder builder = simulation.serverBuilder();
    if (handlers == Handlers.INLINE) {
      builder.dispatch(Dispatch.inline());
    }
    Server server = Simulation.start(options.apply(builder));
    IntStream.range(0, CHANNELS).forEach(i -> channels.add(simulation.channel()));
    return server;
  }

  /** Calls of that time each, for so long. */
  private void load(Duration callTimeout, Duration length) {
    for (Duration at = Duration.ZERO; at.compareTo(length) < 0; at = at.plus(TICK)) {
      ManagedChannel channel = channels.get(calls.size() % CHANNELS);
      calls.add(MadeCall.whole(channel, Texts.UNARY, simulation.within(callTimeout), "m"));
      simulation.advance(TICK);
    }
  }

  private void assertNoConnectionEnded(Server server) {
    assertThat(server.peerFaults()).isEmpty();
    assertThat(channels).allMatch(channel -> channel.peerFaults().isEmpty());
    assertThat(simulation.network().connectAttempts()).isEqualTo(CHANNELS);
    assertThat(simulation.network().openConnections()).isEqualTo(CHANNELS);
    assertThat(calls)
        .filteredOn(MadeCall::isClosed)
        .extracting(MadeCall::code)
        .containsAnyOf(Status.Code.OK, Status.Code.DEADLINE_EXCEEDED)
        .doesNotContain(Status.Code.UNAVAILABLE, Status.Code.INTERNAL, Status.Code.CANCELLED);
  }

  /** There is load before, during and after the pause. */
  private void stops(Side side, Handlers handlers, Duration callTimeout, Duration pause) {
    Server server = serve(handlers, options -> options);
    load(callTimeout, Duration.ofSeconds(1));
    simulation.network().stop(side);
    load(callTimeout, pause);
    simulation.network().goOn(side);
    load(callTimeout, Duration.ofSeconds(3));
    assertNoConnectionEnded(server);
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatStoodStillKeepsItsClients(Handlers handlers) {
    stops(Side.SERVER, handlers, Duration.ofSeconds(5), PAUSE);
  }

  @ParameterizedTest
  @EnumSource(names = {"INLINE", "SLOW"})
  void aServerThatStoodStillKeepsClientsWhoseCallsAreShort(Handlers handlers) {
    stops(Side.SERVER, handlers, Duration.ofMillis(500), PAUSE.dividedBy(2));
  }

  @Test
  void aClientThatStoodStillKeepsItsServer() {
    stops(Side.CLIENT, Handlers.OFF_LOOP, Duration.ofSeconds(5), PAUSE);
  }

  @Test
  void aClientThatStoodStillAcceptsResponsesThatArrivedInTime() {
    serve(Handlers.OFF_LOOP, options -> options);
    load(Duration.ofSeconds(5), Duration.ofSeconds(1));
    calls.clear();
    channels.forEach(channel ->
        calls.add(
            MadeCall.whole(channel, Texts.UNARY, simulation.within(Duration.ofSeconds(5)), "m")));
    simulation.run(); // requests are on their way
    simulation.network().stop(Side.CLIENT);
    simulation.advance(PAUSE);
    simulation.network().goOn(Side.CLIENT);
    simulation.advance(Duration.ofSeconds(1));
    assertThat(calls).extracting(MadeCall::code).containsOnly(Status.Code.OK);
  }

  @Test
  void aRequestThatWaitsIsReadBeforeItsConnectionCountsAsIdle() {
    serve(Handlers.OFF_LOOP, options -> options.maxConnectionIdle(Duration.ofSeconds(10)));
    load(Duration.ofSeconds(60), TICK.multipliedBy(CHANNELS));
    simulation.advance(Duration.ofSeconds(1));
    simulation.network().stop(Side.SERVER);
    load(Duration.ofSeconds(60), TICK.multipliedBy(CHANNELS));
    simulation.advance(PAUSE);
    simulation.network().goOn(Side.SERVER);
    simulation.advance(Duration.ofMillis(500));
    assertThat(calls).extracting(MadeCall::code).containsOnly(Status.Code.OK);
    load(Duration.ofSeconds(60), TICK.multipliedBy(CHANNELS));
    assertThat(simulation.network().connectAttempts()).isEqualTo(CHANNELS);
  }

  @Test
  void aKeepaliveAnswerReadAfterAPauseIsInTime() {
    simulation.with(Texts.UNARY, new HeldCalls()).serve();
    ManagedChannel channel =
        simulation
            .channelBuilder()
            .keepAliveTime(Duration.ofSeconds(300))
            .keepAliveTimeout(Duration.ofSeconds(20))
            .build();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.advance(Duration.ofSeconds(299));
    while (simulation.network().bytesUnderWay() == 0) { // until it asks
      simulation.advance(Duration.ofNanos(50_000));
    }
    simulation.network().stop(Side.CLIENT);
    simulation.advance(PAUSE.multipliedBy(2));
    simulation.network().goOn(Side.CLIENT);
    simulation.advance(Duration.ofSeconds(60));
    assertThat(call.isClosed()).isFalse();
  }

  @Test
  void timeOfAPauseDoesNotCountAsAStalledMessage() {
    Simulation instant = new Simulation();
    HeldCalls held = new HeldCalls();
    instant.with(Texts.BIDI, held).serve();
    ObedientClient client = ObedientClient.connect(instant);
    Http2Stream stream = client.opens(Texts.BIDI);
    client.begins(stream, 3 << 20, 2 << 20);
    instant.advance(Duration.ofSeconds(15));
    for (int i = 0; i < 4; i++) {
      instant.network().stop(Side.SERVER);
      instant.advance(PAUSE);
      instant.network().goOn(Side.SERVER);
      instant.advance(Duration.ofSeconds(1));
    }
    client.goesOn(stream, 1 << 20);
    instant.advance(Duration.ofSeconds(1));
    assertThat(held.only().messages()).hasSize(1);
  }

  @Test
  void silenceDoesNotCountAsAPause() {
    simulation.with(Texts.UNARY, new Echo(simulation, Duration.ofSeconds(30)));
    Server server = Simulation.start(simulation.serverBuilder());
    ManagedChannel channel = simulation.channel();
    simulation.advance(Duration.ofHours(1));
    for (int i = 0; i < 2000; i++) {
      MadeCall call = MadeCall.whole(channel, Texts.UNARY, "m");
      simulation.advance(Duration.ofNanos(200_000));
      call.call().cancel("at once");
      simulation.advance(Duration.ofNanos(200_000));
    }
    assertThat(server.peerFaults()).isNotEmpty();
  }

  /** Answers each call with what it asks, so much later. */
  private record Echo(Simulation simulation, Duration delay)
      implements ServerCallHandler<String, String> {
    @Override
    public ServerCall.Listener<String> startCall(
        ServerCall<String, String> call, Metadata headers) {
      call.request(1);
      return new Answering(call, simulation, delay);
    }
  }

  private record Answering(ServerCall<String, String> call, Simulation simulation, Duration delay)
      implements ServerCall.Listener<String> {
    @Override
    public void onHalfClose() {
      if (delay.isZero()) {
        answer();
      } else {
        simulation.loop().schedule(this::answer, delay.toNanos());
      }
    }

    private void answer() {
      call.sendMessage("answer");
      call.close(Status.OK, new Metadata());
    }
  }
}
