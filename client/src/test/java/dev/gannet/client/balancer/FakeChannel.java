package dev.gannet.client.balancer;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Registration;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.simulation.SimulatedLoop;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** What a channel does for its policy, on a virtual clock. */
final class FakeChannel implements LoadBalancer.Context {
  static final PickArgs ANY_CALL = new AnyCall(new Metadata(), CallOptions.DEFAULT);

  final SimulatedLoop loop = new SimulatedLoop();
  final List<FakeAddress> made = new ArrayList<>();

  /** In the order in which they were told to connect. */
  final List<FakeAddress> connected = new ArrayList<>();

  final List<ConnectivityState> states = new ArrayList<>();
  int refreshes;
  boolean hasWaitingCalls;
  long failures;
  Optional<String> healthCheckService = Optional.empty();
  private final RandomGenerator random;
  private Picker picker = Picker.queueing();

  FakeChannel() {
    this(1);
  }

  FakeChannel(long seed) {
    random = new SplittableRandom(seed);
  }

  static SocketAddress at(String host) {
    return InetSocketAddress.createUnresolved(host, 1);
  }

  static Resolution.Resolved endpoints(String... hosts) {
    return Resolution.of(Arrays.stream(hosts).map(FakeChannel::at).map(Endpoint::of).toList());
  }

  /** The newest subchannel to that host. */
  FakeAddress of(String host) {
    return made.stream()
        .filter(it -> it.address().equals(at(host)))
        .reduce((one, later) -> later)
        .orElseThrow();
  }

  void advance(Duration duration) {
    loop.advance(duration);
  }

  Pick pick() {
    return pick(new Metadata());
  }

  Pick pick(Metadata headers) {
    return pick(headers, CallOptions.DEFAULT);
  }

  Pick pick(Metadata headers, CallOptions options) {
    Pick pick = picker.pick(new AnyCall(headers, options));
    loop.runUntilIdle();
    return pick;
  }

  /** The host that the next call goes to; {@code wait}, or the failure's text, if to none. */
  String picked() {
    return textOf(pick());
  }

  static String textOf(Pick pick) {
    if (pick instanceof Pick.Use use) {
      return ((InetSocketAddress) use.subchannel().address()).getHostString();
    }
    return pick instanceof Pick.Fail fail ? fail.why().toString() : "wait";
  }

  /** The hosts of so many calls. */
  List<String> picked(int calls) {
    List<String> hosts = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      hosts.add(picked());
    }
    return hosts;
  }

  ConnectivityState state() {
    return states.getLast();
  }

  private record AnyCall(Metadata headers, CallOptions options) implements PickArgs {
    @Override
    public MethodDescriptor<?, ?> method() {
      throw new UnsupportedOperationException("nobody asks");
    }

    @Override
    public int previousAttempts() {
      return 0;
    }
  }

  @Override
  public String target() {
    return "target";
  }

  @Override
  public Subchannel createSubchannel(
      Endpoint endpoint, Subchannel.Listener listener, SubchannelOptions options) {
    made.add(new FakeAddress(this, endpoint, listener, options.callTracker()));
    return made.getLast();
  }

  @Override
  public void updateState(ConnectivityState state, Picker next) {
    states.add(state);
    picker = next;
  }

  @Override
  public void refreshNameResolution() {
    refreshes++;
  }

  @Override
  public boolean hasWaitingCalls() {
    return hasWaitingCalls;
  }

  @Override
  public long failures() {
    return failures;
  }

  @Override
  public void execute(Runnable task) {
    loop.execute(task);
  }

  @Override
  public Registration schedule(Runnable task, Duration delay) {
    return loop.schedule(task, TimeUnit.NANOSECONDS.convert(delay))::cancel;
  }

  @Override
  public Registration closeAtShutdown(AutoCloseable resource) {
    throw new AssertionError("nothing is acquired");
  }

  @Override
  public Optional<String> healthCheckService() {
    return healthCheckService;
  }

  @Override
  public long nanoTime() {
    return loop.nanoTime();
  }

  @Override
  public RandomGenerator random() {
    return random;
  }
}
