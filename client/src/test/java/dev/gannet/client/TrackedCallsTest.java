package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.ForwardingContext;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.PickArgs;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.balancer.SubchannelOptions;
import dev.gannet.client.balancer.SubchannelState;
import dev.gannet.client.balancer.TrackedCall;
import dev.gannet.client.call.RetryingCallTest;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A policy of an application follows each call from its beginning to its end. */
final class TrackedCallsTest {
  private final TestChannel test = new TestChannel();

  /** Uses the endpoint whose recent calls were the fastest, weighed as in finagle's Peak EWMA. */
  private static final class Fastest implements LoadBalancer {
    private final Context context;
    private final List<Latency> ready = new ArrayList<>();

    Fastest(Context context) {
      this.context = context;
    }

    /** One endpoint: slower calls count at once, faster ones by half. */
    private static final class Latency implements CallTracker {
      private final Context context;
      private final AtomicLong nanos = new AtomicLong();
      private Optional<Subchannel> subchannel = Optional.empty();

      Latency(Context context) {
        this.context = context;
      }

      @Override
      public TrackedCall onStarted(PickArgs call) {
        long startedNanos = context.nanoTime();
        return (status, trailers) -> add(context.nanoTime() - startedNanos);
      }

      private void add(long tookNanos) {
        nanos.updateAndGet(before -> Math.max(tookNanos, (before + tookNanos) / 2));
      }
    }

    @Override
    public void onResolved(Resolution.Resolved resolved) {
      for (Endpoint endpoint : resolved.endpoints()) {
        Latency latency = new Latency(context);
        Subchannel made =
            context.createSubchannel(
                endpoint.perAddress().getFirst(),
                (it, now) -> onState(latency, now),
                SubchannelOptions.DEFAULT.withCallTracker(latency));
        latency.subchannel = Optional.of(made);
        made.connect();
      }
    }

    private void onState(Latency of, SubchannelState now) {
      ready.remove(of);
      if (now == SubchannelState.READY) {
        ready.add(of);
      }
      List<Latency> usable = List.copyOf(ready);
      context.updateState(
          usable.isEmpty() ? ConnectivityState.CONNECTING : ConnectivityState.READY,
          usable.isEmpty() ? Picker.queueing() : args -> fastest(usable));
    }

    private static Pick fastest(List<Latency> usable) {
      Latency best =
          usable.stream().min(Comparator.comparingLong(it -> it.nanos.get())).orElseThrow();
      return Pick.use(best.subchannel.orElseThrow());
    }

    @Override
    public void onResolutionFailed(Status why) {}

    @Override
    public void exitIdle() {}

    @Override
    public void shutdown() {}
  }

  private FakeTransport dial(int number) {
    return test.connector.dials.get(number).becomesReady();
  }

  private static void ends(FakeTransport on) {
    on.stream().answers("answer");
    on.stream().endsWith(Status.OK);
  }

  private void takes(FakeTransport on, Duration time) {
    test.call();
    test.advance(time);
    ends(on);
  }

  @Test
  void aPolicyMeasuresTheLatencyOfEachCall() {
    test.policy = new OwnPolicy(Fastest::new);
    test.resolver.answer = Optional.of(TestResolver.endpoints(2));
    test.channel().state(true);
    FakeTransport one = dial(0);
    FakeTransport other = dial(1);
    takes(one, Duration.ofMillis(30)); // nothing is known yet, so it is the first
    takes(other, Duration.ofMillis(10));
    takes(other, Duration.ofMillis(50)); // the faster one, until now
    takes(one, Duration.ofMillis(1));
    assertThat(one.streams).hasSize(2);
    assertThat(other.streams).hasSize(2);
  }

  /** Notes how long each call has taken. */
  private record Measured(LoadBalancer.Context context, List<Duration> took)
      implements ForwardingContext {
    @Override
    public Subchannel createSubchannel(
        Endpoint endpoint, Subchannel.Listener listener, SubchannelOptions options) {
      return context.createSubchannel(endpoint, listener, options.withCallTracker(this::begin));
    }

    private TrackedCall begin(PickArgs call) {
      long startedNanos = nanoTime();
      return (status, trailers) -> took.add(Duration.ofNanos(nanoTime() - startedNanos));
    }
  }

  /** Adds to the headers of each call that it sees. */
  private record Meddling(LoadBalancer.Context context) implements ForwardingContext {
    @Override
    public void updateState(ConnectivityState state, Picker picker) {
      context.updateState(
          state,
          args -> {
            args.headers().add(Metadata.Key.ascii("of-the-picker"), "x");
            return picker.pick(args);
          });
    }
  }

  @Test
  void whatAPickerAddsToTheHeadersIsNotSent() {
    test.policy = OwnPolicy.pickFirst(Meddling::new);
    test.channel().state(true);
    FakeTransport transport = dial(0);
    test.call();
    assertThat(transport.stream().start.headers().isEmpty()).isTrue();
  }

  @Test
  void callsThatOverlapAreDistinguished() {
    List<Duration> took = new ArrayList<>();
    test.policy = OwnPolicy.pickFirst(context -> new Measured(context, took));
    test.channel().state(true);
    FakeTransport transport = dial(0);
    test.call();
    test.advance(Duration.ofMillis(20));
    test.call();
    test.advance(Duration.ofMillis(10));
    transport.streams.getLast().endsWith(Status.OK);
    test.advance(Duration.ofMillis(1));
    transport.streams.getFirst().endsWith(Status.OK);
    assertThat(took).containsExactly(Duration.ofMillis(10), Duration.ofMillis(31));
  }

  /** Notes the ends of the calls of each method. */
  private record Counted(LoadBalancer.Context context, Map<String, List<Status.Code>> ended)
      implements ForwardingContext {
    @Override
    public Subchannel createSubchannel(
        Endpoint endpoint, Subchannel.Listener listener, SubchannelOptions options) {
      CallTracker both = CallTracker.both(this::begin, options.callTracker());
      return context.createSubchannel(endpoint, listener, options.withCallTracker(both));
    }

    private TrackedCall begin(PickArgs call) {
      List<Status.Code> ends =
          ended.computeIfAbsent(call.method().fullMethodName(), it -> new ArrayList<>());
      return (status, trailers) -> ends.add(status.code());
    }
  }

  @Test
  void aPolicyCountsTheCallsOfEachMethod() {
    Map<String, List<Status.Code>> ended = new TreeMap<>();
    test.policy =
        new OwnPolicy(
            context -> LoadBalancerProvider.leastRequest(2).create(new Counted(context, ended)));
    test.channel().state(true);
    FakeTransport transport = dial(0);
    test.call();
    ends(transport);
    test.call();
    transport.stream().endsWith(Status.NOT_FOUND);
    TestCall streaming = test.start(TestChannel.method(MethodType.BIDI_STREAMING));
    assertThat(ended)
        .containsOnly(
            Map.entry("test.Texts/UNARY", List.of(Status.Code.OK, Status.Code.NOT_FOUND)),
            Map.entry("test.Texts/BIDI_STREAMING", List.of()));
    streaming.call.cancel("enough");
    assertThat(ended).containsEntry("test.Texts/BIDI_STREAMING", List.of(Status.Code.CANCELLED));
  }

  @Test
  void trackerAndPickerSeeTheSameCall() {
    List<PickArgs> picked = new ArrayList<>();
    List<PickArgs> started = new ArrayList<>();
    test.policy = OwnPolicy.pickFirst(context -> new Compared(context, picked, started));
    test.channel().state(true);
    dial(0);
    test.call();
    assertThat(started).hasSize(1);
    assertThat(started.getFirst()).isSameAs(picked.getLast());
    assertThat(started.getFirst().method()).isEqualTo(TestChannel.UNARY);
  }

  @Test
  void aPickerLearnsHowManyAttemptsOfTheCallCameBefore() {
    List<PickArgs> started = new ArrayList<>();
    test.policy = OwnPolicy.pickFirst(context -> new Compared(context, new ArrayList<>(), started));
    MethodConfig retried = MethodConfig.builder().retryPolicy(RetryingCallTest.policy(3)).build();
    test.serviceConfigs =
        test.serviceConfigs
            .withoutLookUp()
            .withDefault(ServiceConfig.builder().forAllMethods(retried).build());
    test.channel().state(true);
    FakeTransport transport = dial(0);
    test.call();
    transport.stream().endsWith(Status.UNAVAILABLE);
    test.advance(Duration.ofSeconds(2));
    assertThat(started).extracting(PickArgs::previousAttempts).containsExactly(0, 1);
  }

  private record Compared(
      LoadBalancer.Context context, List<PickArgs> picked, List<PickArgs> started)
      implements ForwardingContext {
    @Override
    public Subchannel createSubchannel(
        Endpoint endpoint, Subchannel.Listener listener, SubchannelOptions options) {
      return context.createSubchannel(
          endpoint,
          listener,
          options.withCallTracker(call -> {
            started.add(call);
            return TrackedCall.NONE;
          }));
    }

    @Override
    public void updateState(ConnectivityState state, Picker picker) {
      context.updateState(
          state,
          args -> {
            picked.add(args);
            return picker.pick(args);
          });
    }
  }

  @Test
  void callsOnAnAdditionalConnectionAreTrackedAsWell() {
    Map<String, List<Status.Code>> ended = new TreeMap<>();
    test.maxConnectionsPerSubchannel = 2;
    test.policy = OwnPolicy.pickFirst(context -> new Counted(context, ended));
    test.channel().state(true);
    FakeConnector.Dial to = test.connector.dials.getFirst();
    to.opens();
    to.then.onMaxConcurrentStreams(1);
    to.then.onReady();
    test.call();
    TestCall waiting = test.call();
    ends(to.transport);
    assertThat(to.transport.streams).hasSize(2); // the stream of the first call is free again
    ends(to.transport);
    assertThat(waiting.status()).isEqualTo(Status.OK);
    assertThat(ended)
        .containsOnly(Map.entry("test.Texts/UNARY", List.of(Status.Code.OK, Status.Code.OK)));
  }
}
