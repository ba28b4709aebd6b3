package dev.gannet.suites.storm;

import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.simulation.SimulatedLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Many random calls between complete clients and servers, over a random wire or in process, with
 * random failures, all from one seed: some seconds of storm, then a quiet time in which everything
 * must end, then calls that must succeed, then the shutdown, after which nothing may be left. May
 * be run once; confined to the thread that runs it.
 */
public final class Storm {
  /** What is between its channels and servers. */
  public enum Medium {
    /** HTTP/2 over a simulated network. */
    NETWORK,
    /** The in-process transport: nothing is cut, stalled or refused, but programs are replaced. */
    IN_PROCESS
  }

  private static final String SERVICE = "storm.Loads";

  /** More than a storm can hold. */
  private static final long MEMORY_BYTES = 1L << 30;

  private static final int FEW_CALLS = 12;
  private static final int MANY_CALLS = 60;
  private static final long STORM_NANOS = 2_000_000_000L;

  /** Longer than what is left of any deadline, failure or pause when the storm is over. */
  private static final Duration AFTERMATH = Duration.ofSeconds(6);

  /** Longer than an attempt to connect and its backoff, or any message through the least window. */
  private static final Duration QUIET = Duration.ofMinutes(20);

  /** Long enough for every end that only has to go over the wire. */
  private static final Duration ROUND_TRIPS = Duration.ofSeconds(2);

  private static final Duration MOMENT = Duration.ofMillis(5);
  private static final int MAX_MOMENTS = 1_000;

  private final long seed;
  private final Medium medium;
  private final Odds odds;
  private final StormSettings settings;
  private final SimulatedLoop loop;
  private final StormTransport transport;
  private final Troubles troubles;
  private final Map<MethodType, MethodDescriptor<Load, Load>> methods =
      new EnumMap<>(MethodType.class);
  private final List<ServerMethodDefinition<?, ?>> definitions = new ArrayList<>();
  private final List<StormCall> calls = new ArrayList<>();
  private final ChannelPlan channelPlan;
  private final Fleet fleet;
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final MemoryBudget memory = MemoryBudget.ofBytes(MEMORY_BYTES);
  private final Witnesses witnesses;
  private final StormExecutor handlers;
  private final Dispatch dispatch;
  private final CallChecks checks;

  /** The storm of that seed, over that medium. */
  public Storm(long seed, Medium medium) {
    this.seed = seed;
    this.medium = medium;
    odds = new Odds(seed);
    long origin = odds.oneIn(4) ? Long.MAX_VALUE - odds.nanosBelow(STORM_NANOS) : 0;
    loop = new SimulatedLoop(origin);
    channelPlan = ChannelPlan.random(odds);
    settings = StormSettings.random(odds, channelPlan.reconnectsAtOnce());
    Odds fleetOdds = odds.split();
    long networkSeed = odds.seed();
    Odds troubleOdds = odds.split();
    transport =
        switch (medium) {
          case NETWORK ->
              new NetworkStormTransport(loop, networkSeed, settings.wire(), troubleOdds);
          case IN_PROCESS ->
              new InProcessStormTransport(
                  loop, "storm-" + seed, channelPlan.servers(), new Odds(networkSeed));
        };
    fleet = new Fleet(fleetOdds, loop, transport::addressOf, this::startServer);
    witnesses = new Witnesses(channelPlan.attempts());
    troubles = new Troubles(troubleOdds, loop, transport, this::disturbPrograms);
    handlers = executor(odds.split());
    dispatch = odds.oneIn(3) ? Dispatch.inline() : Dispatch.on(handlers);
    checks = new CallChecks(this::isCalm, mayRefuse());
    LoadMarshaller loads = new LoadMarshaller();
    for (MethodType type : MethodType.values()) {
      MethodDescriptor<Load, Load> method =
          MethodDescriptor.of(type, SERVICE + "/" + type, loads, loads);
      methods.put(type, method);
      definitions.add(ServerMethodDefinition.of(method, this::serve));
    }
  }

  private StormExecutor executor(Odds own) {
    StormExecutor.Kind kind =
        switch (own.below(20)) {
          case 0 -> StormExecutor.Kind.REFUSING;
          case 1, 2, 3, 4 -> StormExecutor.Kind.DIRECT;
          case 5, 6, 7 -> StormExecutor.Kind.BUSY;
          default -> StormExecutor.Kind.QUICK;
        };
    return new StormExecutor(kind, loop, own);
  }

  private ServerCall.Listener<Load> serve(ServerCall<Load, Load> call, Metadata headers) {
    int number = Integer.parseInt(headers.get(StormCall.NUMBER).orElseThrow());
    return calls.get(number).serve(call, headers, mayRefuse());
  }

  /** Whether nothing ends a call but its own two ends. */
  private boolean isCalm() {
    return troubles.isCalm() && settings.isPatient(calls.size());
  }

  private boolean mayRefuse() {
    return dispatch instanceof Dispatch.On && handlers.refuses();
  }

  /**
   * Plays it.
   *
   * @throws AssertionError if a rule does not hold; the message begins with the seed
   */
  public StormReport play() {
    try {
      rage();
      rest();
      goOn();
      shutDown();
      return report();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(this + ": " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    String where = dispatch instanceof Dispatch.Inline ? "inline" : "on " + handlers;
    return "seed %d (%s, handlers %s, %s, %s, %s)"
        .formatted(seed, medium, where, settings, channelPlan, troubles);
  }

  private void rage() {
    fleet.begin(channelPlan.servers());
    int most = 1 + odds.below(2);
    for (int i = 0; i < most; i++) {
      channels.add(openChannel());
    }
    int count = 1 + odds.below(odds.oneIn(16) ? MANY_CALLS : FEW_CALLS);
    for (int i = 0; i < count; i++) {
      StormCall call = newCall(CallPlan.random(i, odds.split()));
      loop.schedule(() -> start(call), odds.nanosBelow(STORM_NANOS));
    }
    troubles.plan(STORM_NANOS);
    loop.advance(Duration.ofNanos(STORM_NANOS));
  }

  private StormCall newCall(CallPlan plan) {
    // An inline method leaves the event loop for long compressed messages, and with it the
    // simulation.
    boolean leaves = dispatch instanceof Dispatch.Inline && plan.client().isLong();
    return newCall(leaves ? plan.uncompressed() : plan, executor(odds.split()));
  }

  private StormCall newCall(CallPlan plan, StormExecutor executor) {
    StormCall call = new StormCall(plan, channelPlan.attempts(), loop, odds.split(), executor);
    calls.add(call);
    return call;
  }

  private void start(StormCall call) {
    ManagedChannel channel = odds.oneOf(channels);
    call.start(channel, methodOf(call));
  }

  private MethodDescriptor<Load, Load> methodOf(StormCall call) {
    MethodDescriptor<Load, Load> method = methods.get(call.plan().type());
    if (method == null) {
      throw new IllegalStateException("every type has a method");
    }
    return method;
  }

  private Server startServer(int place) {
    ServerBuilder builder =
        settings
            .applyTo(transport.server(place), dispatch)
            .memoryBudget(memory)
            .add(ServerServiceDefinition.of(SERVICE, definitions));
    if (isTraced()) {
      builder.addTracer(witnesses::ofRequest);
    }
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ManagedChannel openChannel() {
    ManagedChannelBuilder builder =
        settings
            .applyTo(channelPlan.builder(fleet, transport, odds))
            .memoryBudget(memory)
            .executor(loop);
    return isTraced() ? builder.addTracer(witnesses::ofCall).build() : builder.build();
  }

  /** Every other storm has tracers: both ways through the engines are to hold. */
  private boolean isTraced() {
    return seed % 2 == 0;
  }

  private void checkAtRest() {
    // Policies that keep a connection to each server make another where an old one was closed.
    for (int i = 0; i < MAX_MOMENTS && transport.isBusy(); i++) {
      loop.advance(MOMENT);
    }
    transport.checkAtRest();
    witnesses.checkAtRest();
  }

  /** What befalls programs: they are stopped, and others begin in their place. */
  private void disturbPrograms(Trouble trouble) {
    int some = odds.below(channels.size());
    switch (trouble) {
      case REPLACE_SERVER -> fleet.replaceOne();
      case KILL_SERVER -> fleet.killOne();
      case CHANGE_ADDRESSES -> fleet.changeAddresses();
      case FAIL_TO_RESOLVE -> fleet.setFailing(true);
      case FIND_NAMES_AGAIN -> fleet.setFailing(false);
      case ENTER_IDLE -> channels.get(some).enterIdle();
      case RESET_BACKOFF -> channels.get(some).resetConnectBackoff();
      case SHUT_DOWN_CHANNEL -> channels.set(some, replace(channels.get(some).shutdown()));
      case KILL_CHANNEL -> channels.set(some, replace(channels.get(some).shutdownNow()));
      default -> throw new IllegalStateException(trouble + " is of the network");
    }
  }

  private ManagedChannel replace(ManagedChannel stopped) {
    checks.expectsTermination(stopped);
    return openChannel();
  }

  /** Time passes, and everything that can end by itself does. */
  private void rest() {
    loop.advance(AFTERMATH);
    transport.settle();
    fleet.settle();
    loop.advance(QUIET);
    if (settings.concurrentCalls()
        > MANY_CALLS) { // else those that last forever may keep the others waiting
      calls.stream().filter(call -> !call.plan().mayLastForever()).forEach(checks::checkEnded);
    }
    calls.stream().filter(StormCall::isLimitedByItsAttempts).forEach(checks::checkEnded);
    calls.stream()
        .filter(call -> call.plan().mayLastForever() && call.status().isEmpty())
        .forEach(call -> call.giveUp("enough"));
    loop.advance(QUIET);
    calls.forEach(checks::check);
    checkAtRest();
  }

  /** Whatever was before: calls go well, more of them than there are slots. */
  private void goOn() {
    int count = 2 * Math.min(settings.concurrentCalls(), 5) + 2;
    for (ManagedChannel channel : channels) {
      for (int i = 0; i < count; i++) {
        StormCall call =
            newCall(
                CallPlan.plain(calls.size()),
                new StormExecutor(StormExecutor.Kind.QUICK, loop, odds.split()));
        call.start(channel, methodOf(call));
        loop.advance(ROUND_TRIPS);
        checks.checkPlain(call);
      }
    }
    checkAtRest();
  }

  private void shutDown() {
    boolean inPeace = !odds.oneIn(3);
    channels.forEach(channel -> stop(channel, inPeace));
    fleet.all().forEach(inPeace ? Server::shutdown : Server::shutdownNow);
    loop.advance(ROUND_TRIPS);
    checks.checkTerminated(channels, fleet.all());
    Invariant.holds(
        loop.pendingTasks() == 0, () -> loop.pendingTasks() + " tasks or timers are left");
    Invariant.holds(
        memory.heldBytes() == 0, () -> memory.heldBytes() + " bytes count as held still");
    calls.forEach(StormCall::checkEvents); // nothing came behind what was checked before
    transport.checkNothingIsLeft();
  }

  private static void stop(ManagedChannel channel, boolean inPeace) {
    if (inPeace) {
      channel.shutdown();
    } else {
      channel.shutdownNow();
    }
  }

  private StormReport report() {
    Map<Status.Code, Integer> ends = new EnumMap<>(Status.Code.class);
    long digest = 0;
    for (StormCall call : calls) {
      Status.Code code = call.status().orElseThrow().code();
      ends.merge(code, 1, Integer::sum);
      digest = (digest * 31 + code.value()) * 31 + call.endedAtNanos();
    }
    return transport.report(ends, digest);
  }
}
