package dev.gannet.testing;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Marshallers;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.PickArgs;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.balancer.PolicyConfig;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.balancer.SubchannelOptions;
import dev.gannet.client.balancer.SubchannelState;
import dev.gannet.client.balancer.TrackedCall;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A load-balancing policy under test, without a channel, a network or real time. The test says
 * which endpoints there are and what becomes of connections, and sees the policy's subchannels and
 * states, and where its pickers send calls.
 *
 * <p>As on a channel, the policy's events are delivered one at a time, and what it causes itself
 * follows after the event that it is handling; all of that has happened when a method returns.
 * Unlike on a channel, an exception of the policy is thrown to the test. Its random numbers are the
 * same in each run. For one thread.
 */
public final class PolicyTestbed implements AutoCloseable {
  private static final MethodDescriptor<byte[], byte[]> ANY_METHOD =
      MethodDescriptor.of(
          MethodType.UNARY, "test.Any/Call", Marshallers.bytes(), Marshallers.bytes());

  private static final Status NO_ENDPOINTS =
      Status.UNAVAILABLE.withDescription("the resolver for 'test' found no endpoints");

  private final SerialEvents events = new SerialEvents();
  private final List<FakeSubchannel> subchannels = new ArrayList<>();
  private final List<ConnectivityState> states = new ArrayList<>();
  private final List<String> traced = new ArrayList<>();
  private final RandomGenerator random;
  private final LoadBalancer policy;
  private LoadBalancerProvider provider;
  private Picker picker = Picker.queueing();
  private Optional<String> healthCheckService = Optional.empty();
  private int refreshes;

  /** Calls that wait for another picker, or for the connection that the picker has chosen. */
  private final List<Args> waiting = new ArrayList<>();

  /** How many calls have failed at once. */
  private long failures;

  private PolicyTestbed(LoadBalancerProvider provider, long seed) {
    this.random = new SplittableRandom(seed);
    this.provider = provider;
    this.policy = provider.create(new FakeChannel());
  }

  /** A policy of this provider that knows no endpoints yet. */
  public static PolicyTestbed of(LoadBalancerProvider provider) {
    return of(provider, 1);
  }

  /** The same with other random numbers. */
  public static PolicyTestbed of(LoadBalancerProvider provider, long seed) {
    return new PolicyTestbed(provider, seed);
  }

  /**
   * Settings as those of a service config, for {@link LoadBalancerProvider#configured}. A value is
   * a {@link Boolean}, a {@link Number}, a {@link String}, a {@link Duration}, a {@link
   * LoadBalancerProvider}, a map like this one, or a list of strings or maps.
   *
   * @param fields the values by the names of their fields, in the order of {@link
   *     PolicyConfig#fields}; a null value is that of a missing field
   */
  public static PolicyConfig config(Map<String, ?> fields) {
    return new MapPolicyConfig("", fields);
  }

  /** The channel of the policy. */
  private final class FakeChannel implements LoadBalancer.Context {
    @Override
    public String target() {
      return "test:///policy";
    }

    @Override
    public Subchannel createSubchannel(
        Endpoint endpoint, Subchannel.Listener listener, SubchannelOptions options) {
      FakeSubchannel created =
          new FakeSubchannel(PolicyTestbed.this, endpoint, listener, options.callTracker());
      subchannels.add(created);
      return created;
    }

    @Override
    public void updateState(ConnectivityState state, Picker next) {
      Objects.requireNonNull(state, "state");
      Objects.requireNonNull(next, "picker");
      if (!events.isClosed()) {
        states.add(state);
        picker = next;
        pickWaiting();
      }
    }

    @Override
    public void refreshNameResolution() {
      refreshes++;
    }

    @Override
    public boolean hasWaitingCalls() {
      return !waiting.isEmpty();
    }

    @Override
    public long failures() {
      return failures;
    }

    @Override
    public void execute(Runnable task) {
      run(task);
    }

    @Override
    public Registration schedule(Runnable task, Duration delay) {
      return events.schedule(task, delay);
    }

    @Override
    public Registration closeAtShutdown(AutoCloseable resource) {
      return events.closeAtEnd(resource);
    }

    @Override
    public Optional<String> healthCheckService() {
      return healthCheckService;
    }

    @Override
    public void trace(String event) {
      traced.add(Objects.requireNonNull(event, "event"));
    }

    @Override
    public long nanoTime() {
      return events.clock().nanoTime();
    }

    @Override
    public RandomGenerator random() {
      return random;
    }
  }

  /** Reports a state, as an event, unless the subchannel is shut down before. */
  void report(FakeSubchannel subchannel, Subchannel.Listener to, SubchannelState state) {
    run(() -> {
      if (!subchannel.isShutdown()) {
        to.onState(subchannel, state);
      }
    });
  }

  /** Delivers an event, after those that were added before it. */
  void run(Runnable event) {
    events.run(event);
  }

  /** The clock of the policy's timers: the test moves it. */
  public VirtualClock clock() {
    return events.clock();
  }

  /** The target has these addresses, each as an endpoint. */
  public void resolves(SocketAddress... addresses) {
    resolves(Resolution.of(Arrays.stream(addresses).map(Endpoint::of).toList()));
  }

  /** The target has these endpoints; without any, the policy is told that there are none. */
  public void resolves(Resolution.Resolved resolved) {
    if (resolved.endpoints().isEmpty()) {
      run(() -> policy.onNoEndpoints(NO_ENDPOINTS)); // whether it supports that is its own matter
    } else {
      run(() -> policy.onResolved(resolved));
    }
  }

  /**
   * The target's service config has another provider of the policy. As on a channel, {@link
   * #resolves} follows if this returns true.
   *
   * @return whether the policy has the provider's settings now; if not, a channel replaces it
   */
  public boolean takes(LoadBalancerProvider settings) {
    run(() -> {
      if (settings.reconfigure(policy, provider)) {
        provider = settings;
      }
    });
    return provider.equals(settings);
  }

  /** The target could not be resolved. */
  public void failsToResolve(Status why) {
    run(() -> policy.onResolutionFailed(why));
  }

  /** A call waits while the channel is IDLE. Like any call that waits, it is picked for again. */
  public void exitsIdle() {
    waiting.add(new Args(ANY_METHOD, CallOptions.DEFAULT, new Metadata()));
    run(policy::exitIdle);
  }

  /**
   * From the next resolution on, the channel's service config names this service for health checks
   * (gRFC A17).
   */
  public void checksHealthOf(String service) {
    healthCheckService = Optional.of(service);
  }

  /** How often the policy has requested that the target is resolved again. */
  public int refreshes() {
    return refreshes;
  }

  /** What the policy has written into the channel's trace, oldest first, and not cut. */
  public List<String> traced() {
    return List.copyOf(traced);
  }

  /** All subchannels that the policy has created, in that order. */
  public List<FakeSubchannel> subchannels() {
    return List.copyOf(subchannels);
  }

  /**
   * The newest subchannel to this address.
   *
   * @throws AssertionError if there is none
   */
  public FakeSubchannel subchannel(SocketAddress address) {
    return subchannels.reversed().stream()
        .filter(it -> it.address().equals(address))
        .findFirst()
        .orElseThrow(
            () -> new AssertionError("no subchannel to " + address + " among " + subchannels));
  }

  /** The states that the policy has published, oldest first. */
  public List<ConnectivityState> states() {
    return List.copyOf(states);
  }

  /** The state of the channel: the last one that was published, at first IDLE. */
  public ConnectivityState state() {
    return states.isEmpty() ? ConnectivityState.IDLE : states.getLast();
  }

  /** The picker's decision about a call without headers and options. */
  public Pick pick() {
    return pick(ANY_METHOD, CallOptions.DEFAULT, new Metadata());
  }

  /**
   * The picker's decision about a call. As on a channel, a call that has to wait is picked for
   * again when the policy publishes a picker, until it waits no more.
   */
  public Pick pick(MethodDescriptor<?, ?> method, CallOptions options, Metadata headers) {
    return pick(new Args(method, options, headers));
  }

  private Pick pick(Args args) {
    Pick pick = picker.pick(args);
    if (waits(args, pick)) {
      waiting.add(args);
    } else if (pick instanceof Pick.Fail) {
      failures++;
    }
    return pick;
  }

  private static boolean waits(Args args, Pick pick) {
    return switch (pick) {
      case Pick.Use use -> !isReady((FakeSubchannel) use.subchannel());
      case Pick.Fail fail -> args.options().waitForReady().orElse(false);
      case Pick.Drop drop -> false;
      case Pick.Queue queue -> true;
    };
  }

  private static boolean isReady(FakeSubchannel chosen) {
    return !chosen.isShutdown() && chosen.state().connectivity() == ConnectivityState.READY;
  }

  /** After the current event: there is another picker, or another connection. */
  void pickWaiting() {
    if (!waiting.isEmpty()) {
      run(() -> waiting.removeIf(it -> !waits(it, picker.pick(it))));
    }
  }

  private record Args(MethodDescriptor<?, ?> method, CallOptions options, Metadata headers)
      implements PickArgs {
    @Override
    public int previousAttempts() {
      return 0;
    }
  }

  /**
   * Starts a call without headers and options. The trackers of its subchannel and of its pick see
   * it.
   *
   * @throws AssertionError if the call would wait or fail
   */
  public Call startCall() {
    return startCall(ANY_METHOD, CallOptions.DEFAULT, new Metadata());
  }

  /**
   * Starts a call. The trackers of its subchannel and of its pick see it. What the pick adds to its
   * headers is not visible here, but in the result of {@link #pick}.
   *
   * @throws AssertionError if the call would wait or fail
   */
  public Call startCall(MethodDescriptor<?, ?> method, CallOptions options, Metadata headers) {
    Args args = new Args(method, options, headers);
    Pick.Use use = checked(pick(args));
    FakeSubchannel chosen = (FakeSubchannel) use.subchannel();
    if (!isReady(chosen)) {
      throw new AssertionError("the call would wait: the picker chose " + chosen);
    }
    return new Call(chosen, CallTracker.both(chosen.tracker(), use.callTracker()), args);
  }

  private static Pick.Use checked(Pick pick) {
    return switch (pick) {
      case Pick.Use use -> use;
      case Pick.Fail fail -> throw new AssertionError("the call would fail: " + fail.why());
      case Pick.Drop drop -> throw new AssertionError("the call would be dropped: " + drop.why());
      case Pick.Queue queue -> throw new AssertionError("the call would wait for another picker");
    };
  }

  /** The addresses that so many calls use, one after the other; each ends with OK. */
  public List<SocketAddress> addressesOfCalls(int calls) {
    List<SocketAddress> addresses = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      Call call = startCall();
      addresses.add(call.subchannel().address());
      call.ends(Status.OK);
    }
    return addresses;
  }

  /** An attempt of a call that the policy has sent to a subchannel. */
  public static final class Call {
    private final FakeSubchannel subchannel;
    private final TrackedCall tracked;
    private boolean isOver;

    private Call(FakeSubchannel subchannel, CallTracker tracker, PickArgs args) {
      this.subchannel = subchannel;
      this.tracked = tracker.onStarted(args);
    }

    /** Where it goes. */
    public FakeSubchannel subchannel() {
      return subchannel;
    }

    /** The attempt ends, without trailers. */
    public void ends(Status status) {
      ends(status, new Metadata());
    }

    /**
     * The attempt ends.
     *
     * @throws IllegalStateException if it has ended
     */
    public void ends(Status status, Metadata trailers) {
      if (isOver) {
        throw new IllegalStateException("the call has ended");
      }
      isOver = true;
      tracked.onEnded(status, trailers);
    }
  }

  /**
   * The channel shuts its policy down, which gets no events after that, and closes what the policy
   * has left to it ({@link LoadBalancer.Context#closeAtShutdown}). May be called again.
   */
  @Override
  public void close() {
    events.close(policy::shutdown);
  }
}
