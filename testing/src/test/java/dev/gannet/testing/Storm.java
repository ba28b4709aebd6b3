package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.testing.SimulatedNetwork.Reachability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A crowd of random calls over a random wire, with random trouble, all from one seed: first some
 * seconds of it, then a quiet time in which everything must end, then the shutdown.
 */
final class Storm {
  private static final int MOST_CALLS = 120;
  private static final long STORM_NANOS = 4_000_000_000L;
  private static final Duration QUIET = Duration.ofMinutes(5); // longer than any backoff

  private final SplittableRandom random;
  private final SimulatedLoop loop;
  private final Simulation simulation;
  private final SimulatedNetwork network;
  private final List<StormCall> calls = new ArrayList<>();
  private final List<Server> servers = new ArrayList<>();
  private final int concurrentCalls;
  private final Dispatch dispatch;
  private boolean calm = true;

  Storm(long seed) {
    random = new SplittableRandom(seed);
    long origin = random.nextInt(4) == 0 ? Long.MAX_VALUE - random.nextLong(STORM_NANOS) : 0;
    loop = new SimulatedLoop(origin);
    simulation = new Simulation(loop, random.nextLong(), wire());
    network = simulation.network();
    concurrentCalls = List.of(1, 7, 100).get(random.nextInt(3));
    dispatch = random.nextBoolean() ? Dispatch.inline() : Dispatch.on(loop);
    simulation
        .with(Texts.UNARY, this::serve)
        .with(Texts.CLIENT_STREAMING, this::serve)
        .with(Texts.SERVER_STREAMING, this::serve)
        .with(Texts.BIDI, this::serve);
  }

  private SimulatedWire wire() {
    SimulatedWire wire = random.nextInt(3) == 0 ? SimulatedWire.INSTANT : SimulatedWire.ROUGH;
    return wire.withCapacityBytes(1 << (8 + random.nextInt(11)));
  }

  private ServerCall.Listener<String> serve(ServerCall<String, String> call, Metadata headers) {
    int number = Integer.parseInt(headers.get(StormCall.NUMBER).orElseThrow());
    return calls.get(number).serve(call);
  }

  void run() {
    startServer();
    ManagedChannelBuilder builder = simulation.channelBuilder();
    ManagedChannel channel =
        random.nextBoolean() ? builder.directExecutor().build() : builder.build();
    planCalls(channel);
    planTrouble();
    loop.advance(Duration.ofNanos(STORM_NANOS));
    network.resume();
    network.setReachability(Reachability.REACHABLE);
    loop.advance(QUIET);
    calls.forEach(call -> call.check(calm));
    shutDown(channel);
  }

  private void planCalls(ManagedChannel channel) {
    int count = 1 + random.nextInt(MOST_CALLS);
    for (int i = 0; i < count; i++) {
      StormCall call = new StormCall(i, loop, random.split());
      calls.add(call);
      loop.schedule(() -> call.start(channel), random.nextLong(STORM_NANOS));
    }
  }

  private void planTrouble() {
    plan(random.nextInt(4), this::stall);
    if (random.nextInt(3) == 0) {
      return;
    }
    calm = false;
    plan(random.nextInt(5), () -> network.cutAll("as planned"));
    plan(random.nextInt(3), this::refuse);
    plan(random.nextInt(3), this::replaceServer);
  }

  private void plan(int times, Runnable trouble) {
    for (int i = 0; i < times; i++) {
      loop.schedule(trouble, random.nextLong(STORM_NANOS));
    }
  }

  private void stall() {
    network.stall();
    loop.schedule(network::resume, random.nextLong(STORM_NANOS / 4));
  }

  private void refuse() {
    Reachability[] all = Reachability.values();
    network.setReachability(all[random.nextInt(all.length)]);
    loop.schedule(
        () -> network.setReachability(Reachability.REACHABLE), random.nextLong(STORM_NANOS / 4));
  }

  private void startServer() {
    ServerBuilder builder =
        simulation
            .serverBuilder()
            .maxConcurrentCallsPerConnection(concurrentCalls)
            .dispatch(dispatch);
    servers.add(Simulation.start(builder));
  }

  private void replaceServer() {
    Server last = servers.getLast();
    if (random.nextBoolean()) {
      last.shutdown();
    } else {
      last.shutdownNow();
    }
    startServer();
  }

  private void shutDown(ManagedChannel channel) {
    channel.shutdown();
    servers.forEach(Server::shutdown);
    loop.advance(QUIET);
    assertThat(channel.isTerminated()).as("the channel has terminated").isTrue();
    assertThat(servers).as("terminated servers").allMatch(Server::isTerminated);
    assertThat(network.openConnections()).as("open connections").isZero();
    assertThat(network.bytesUnderWay()).as("bytes under way").isZero();
  }
}
