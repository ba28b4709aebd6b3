package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.OutlierDetectionSettings;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.balancer.PolicyConfig;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.balancer.SubchannelState;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Policies without a channel: those of Gannet, and one of a user. */
final class PolicyTestbedTest {
  private static final SocketAddress A = at("a");
  private static final SocketAddress B = at("b");

  private static SocketAddress at(String host) {
    return InetSocketAddress.createUnresolved(host, 1);
  }

  private static PolicyTestbed roundRobin() {
    return PolicyTestbed.of(LoadBalancerProvider.roundRobin());
  }

  @Test
  void endpointsBecomeSubchannelsThatConnect() {
    try (PolicyTestbed bed = roundRobin()) {
      assertThat(bed.state()).isEqualTo(ConnectivityState.IDLE);
      bed.resolves(A, B);
      assertThat(bed.subchannels()).extracting(FakeSubchannel::address).containsExactly(A, B);
      assertThat(bed.subchannels()).allMatch(it -> it.connects() == 1);
      assertThat(bed.subchannel(A).state()).isEqualTo(SubchannelState.CONNECTING);
      assertThat(bed.states()).containsOnly(ConnectivityState.CONNECTING);
      assertThat(bed.pick()).isInstanceOf(Pick.Queue.class);

      bed.subchannel(A).becomesReady();
      bed.subchannel(B).becomesReady();
      assertThat(bed.state()).isEqualTo(ConnectivityState.READY);
      assertThat(bed.addressesOfCalls(4)).containsExactlyInAnyOrder(A, B, A, B);
    }
  }

  private record Telling() implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "telling";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      context.trace("begins");
      return LoadBalancerProvider.pickFirst().create(context);
    }
  }

  @Test
  void whatAPolicyWritesIntoTheTraceIsSeen() {
    try (PolicyTestbed bed = PolicyTestbed.of(new Telling())) {
      assertThat(bed.traced()).containsExactly("begins");
    }
  }

  @Test
  void subchannelsHaveTheAttributesOfTheirEndpoints() {
    Attributes.Key<String> zone = Attributes.Key.of("zone");
    Attributes here = Attributes.EMPTY.with(zone, "here");
    try (PolicyTestbed bed = roundRobin()) {
      bed.resolves(Resolution.of(List.of(Endpoint.of(A).withAttributes(here), Endpoint.of(B))));
      assertThat(bed.subchannel(A).attributes()).isEqualTo(here);
      assertThat(bed.subchannel(B).attributes()).isEqualTo(Attributes.EMPTY);
    }
  }

  @Test
  void aConnectionThatIsLostCanBeMadeAgain() {
    try (PolicyTestbed bed = roundRobin()) {
      bed.resolves(A);
      FakeSubchannel subchannel = bed.subchannel(A);
      subchannel.becomesReady();
      subchannel.losesConnection();
      assertThat(bed.refreshes()).isOne();
      assertThat(subchannel.connects()).isEqualTo(2);
      subchannel.fails(Status.UNAVAILABLE.withDescription("no route"));
      assertThat(bed.state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
      assertThatThrownBy(bed::startCall)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("the call would fail: UNAVAILABLE")
          .hasMessageContaining("no route");
      subchannel.backoffEnds();
      subchannel.becomesReady();
      assertThat(bed.startCall().subchannel()).isSameAs(subchannel);
    }
  }

  @Test
  void impossibleStateChangesAreRefused() {
    try (PolicyTestbed bed = roundRobin()) {
      bed.resolves(A);
      FakeSubchannel subchannel = bed.subchannel(A);
      assertThatThrownBy(subchannel::losesConnection)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("cannot lose its connection: it is not READY");
      assertThatThrownBy(subchannel::backoffEnds).isInstanceOf(IllegalStateException.class);
      subchannel.becomesReady();
      assertThatThrownBy(() -> subchannel.fails(Status.UNAVAILABLE))
          .isInstanceOf(IllegalStateException.class);
      bed.resolves(B);
      assertThat(subchannel.isShutdown()).isTrue();
      assertThatThrownBy(subchannel::losesConnection).hasMessageContaining("SHUTDOWN");
      assertThatThrownBy(() -> bed.subchannel(at("c")))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("no subchannel to");
    }
  }

  @Test
  void aFailedResolutionReachesThePolicy() {
    try (PolicyTestbed bed = roundRobin()) {
      bed.failsToResolve(Status.UNAVAILABLE.withDescription("no such name"));
      assertThat(bed.state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
      assertThat(((Pick.Fail) bed.pick()).why()).asString().contains("no such name");
    }
  }

  @Test
  void timersRunByTheClock() {
    OutlierDetectionSettings settings =
        OutlierDetectionSettings.DEFAULT
            .withInterval(Duration.ofSeconds(10))
            .with(OutlierDetectionSettings.FailurePercentage.DEFAULT);
    try (PolicyTestbed bed =
        PolicyTestbed.of(
            LoadBalancerProvider.outlierDetection(settings, LoadBalancerProvider.roundRobin()))) {
      SocketAddress[] all =
          IntStream.range(0, 5).mapToObj(i -> at("host" + i)).toArray(SocketAddress[]::new);
      bed.resolves(all);
      bed.subchannels().forEach(FakeSubchannel::becomesReady);
      for (int i = 0; i < 1_000; i++) {
        PolicyTestbed.Call call = bed.startCall();
        boolean fails = call.subchannel().address().equals(all[0]);
        call.ends(fails ? Status.UNAVAILABLE : Status.OK);
      }
      assertThat(bed.addressesOfCalls(20)).contains(all[0]);
      bed.clock().advance(Duration.ofSeconds(10));
      assertThat(bed.addressesOfCalls(20)).doesNotContain(all[0]);
    }
  }

  @Test
  void aCallEndsOnce() {
    try (PolicyTestbed bed = roundRobin()) {
      bed.resolves(A);
      bed.subchannel(A).becomesReady();
      PolicyTestbed.Call call = bed.startCall();
      call.ends(Status.OK);
      assertThatThrownBy(() -> call.ends(Status.OK)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void theTestDeterminesTheResponsesOfAHealthCheck() {
    try (PolicyTestbed bed = roundRobin()) {
      bed.checksHealthOf("greeter");
      bed.resolves(A);
      bed.subchannel(A).becomesReady();
      FakeWatch watch = bed.subchannel(A).watches().getFirst();
      assertThat(watch.method().fullMethodName()).isEqualTo("grpc.health.v1.Health/Watch");
      assertThat(bed.pick()).isInstanceOf(Pick.Queue.class);
      watch.opens();
      watch.sends(new byte[] {8, 1}); // SERVING
      assertThat(bed.startCall().subchannel().address()).isEqualTo(A);
      watch.sends(new byte[] {8, 2}); // NOT_SERVING
      assertThat(bed.pick()).isInstanceOf(Pick.Fail.class);
      assertThat(watch.isStopped()).isFalse();
      bed.resolves(B);
      assertThat(watch.isStopped()).isTrue();
    }
  }

  /** A policy that records its events, and fails when it is told to. */
  private static final class Own implements LoadBalancer, Subchannel.Listener {
    private final Context context;
    private final List<String> events;

    Own(Context context, List<String> events) {
      this.context = context;
      this.events = events;
    }

    @Override
    public void onResolved(Resolution.Resolved resolved) {
      Subchannel one =
          context.createSubchannel(resolved.endpoints().getFirst().perAddress().getFirst(), this);
      one.connect();
      context.execute(() -> events.add("executed"));
      context.schedule(() -> events.add("late at " + context.nanoTime()), Duration.ofNanos(5));
      context.updateState(ConnectivityState.CONNECTING, Picker.queueing());
      events.add("resolved, waiting " + context.hasWaitingCalls());
    }

    @Override
    public void onState(Subchannel subchannel, SubchannelState state) {
      events.add(state.toString());
    }

    @Override
    public void onResolutionFailed(Status why) {
      throw new IllegalStateException("out of order");
    }

    @Override
    public void exitIdle() {
      events.add("exit idle");
    }

    @Override
    public void shutdown() {
      events.add("shutdown");
    }
  }

  private record OwnProvider(List<String> events) implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "own";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return new Own(context, events);
    }
  }

  @Test
  void eventsComeOneAtATimeAndNoneAfterTheShutdown() {
    List<String> events = new ArrayList<>();
    PolicyTestbed bed = PolicyTestbed.of(new OwnProvider(events));
    bed.exitsIdle();
    bed.resolves(A);
    assertThat(events)
        .containsExactly("exit idle", "resolved, waiting true", "CONNECTING", "executed");
    bed.clock().advance(Duration.ofNanos(5));
    assertThat(events).endsWith("late at 5");
    bed.close();
    bed.close();
    bed.resolves(B);
    bed.subchannel(A).becomesReady();
    bed.clock().advance(Duration.ofDays(1));
    assertThat(events).hasSize(6).endsWith("shutdown");
  }

  @Test
  void anExceptionOfThePolicyFailsTheTest() {
    List<String> events = new ArrayList<>();
    try (PolicyTestbed bed = PolicyTestbed.of(new OwnProvider(events))) {
      assertThatThrownBy(() -> bed.failsToResolve(Status.UNAVAILABLE)).hasMessage("out of order");
      bed.exitsIdle();
      assertThat(events).containsExactly("exit idle");
    }
  }

  @Test
  void aCallThatWaitsMakesAConnectionWanted() {
    List<String> events = new ArrayList<>();
    try (PolicyTestbed bed = PolicyTestbed.of(new OwnProvider(events))) {
      bed.resolves(A);
      assertThat(events).contains("resolved, waiting false");
      assertThatThrownBy(bed::startCall).hasMessageContaining("would wait");
      bed.resolves(A);
      assertThat(events).contains("resolved, waiting true");
    }
  }

  private static Pick pickForPatientCall(PolicyTestbed bed) {
    return bed.pick(Words.SAY, CallOptions.DEFAULT.withWaitForReady(true), new Metadata());
  }

  @Test
  void aCallThatWaitsForReadyMakesConnectionsWantedUntilThereIsOne() {
    try (PolicyTestbed bed = PolicyTestbed.of(LoadBalancerProvider.pickFirst())) {
      bed.resolves(A);
      assertThat(pickForPatientCall(bed)).isInstanceOf(Pick.Queue.class);
      for (int i = 1; i <= 3; i++) {
        bed.subchannel(A).fails(Status.UNAVAILABLE);
        assertThat(bed.state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
        bed.subchannel(A).backoffEnds();
        bed.resolves(A);
        assertThat(bed.subchannel(A).connects()).isEqualTo(1 + i);
      }
      bed.subchannel(A).becomesReady();
      bed.resolves(B);
      bed.subchannel(B).fails(Status.UNAVAILABLE);
      bed.subchannel(B).backoffEnds();
      assertThat(bed.state()).isEqualTo(ConnectivityState.IDLE); // it waits no more
    }
  }

  @Test
  void aCallThatHasWaitedAndFailedMakesNoConnectionWanted() {
    try (PolicyTestbed bed = PolicyTestbed.of(LoadBalancerProvider.pickFirst())) {
      bed.resolves(A);
      assertThat(bed.pick()).isInstanceOf(Pick.Queue.class);
      bed.subchannel(A).fails(Status.UNAVAILABLE);
      bed.subchannel(A).backoffEnds();
      assertThat(bed.state()).isEqualTo(ConnectivityState.IDLE);
    }
  }

  @Test
  void aTargetWithoutEndpointsWithdrawsThoseBefore() {
    try (PolicyTestbed bed = PolicyTestbed.of(LoadBalancerProvider.roundRobin())) {
      bed.resolves(A);
      bed.subchannel(A).becomesReady();
      bed.resolves();
      assertThat(bed.subchannel(A).isShutdown()).isTrue();
      assertThat(bed.pick())
          .isInstanceOfSatisfying(
              Pick.Fail.class, it -> assertThat(it.why().toString()).endsWith("no endpoints"));
      bed.resolves(A);
      bed.subchannel(A).becomesReady();
      assertThat(bed.addressesOfCalls(1)).containsExactly(A);
    }
  }

  /** A {@code pick_first} for each endpoint; they share a context. */
  private static final class OnePerEndpoint implements LoadBalancer {
    private final Context context;
    private final List<LoadBalancer> children = new ArrayList<>();

    OnePerEndpoint(Context context) {
      this.context = context;
    }

    @Override
    public void onResolved(Resolution.Resolved resolved) {
      shutdown();
      children.clear();
      for (Endpoint endpoint : resolved.endpoints()) {
        LoadBalancer child = LoadBalancerProvider.pickFirst().create(context);
        children.add(child);
        child.onResolved(Resolution.of(List.of(endpoint)));
      }
    }

    @Override
    public void onResolutionFailed(Status why) {
      children.forEach(it -> it.onResolutionFailed(why));
    }

    @Override
    public void exitIdle() {
      children.forEach(LoadBalancer::exitIdle);
    }

    @Override
    public void shutdown() {
      children.forEach(LoadBalancer::shutdown);
    }
  }

  private record OnePerEndpointProvider() implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "one_per_endpoint";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return new OnePerEndpoint(context);
    }
  }

  @Test
  void aPolicyMayTakeOtherSettings() {
    try (PolicyTestbed bed = PolicyTestbed.of(LoadBalancerProvider.leastRequest(2))) {
      bed.resolves(A, B);
      assertThat(bed.takes(LoadBalancerProvider.leastRequest(3))).isTrue();
      assertThat(bed.takes(LoadBalancerProvider.leastRequest(3))).isTrue();
      assertThat(bed.takes(LoadBalancerProvider.roundRobin())).isFalse();
      bed.resolves(A, B);
      assertThat(bed.subchannels()).hasSize(2);
    }
  }

  @Test
  void eachOfSeveralChildrenLearnsThatACallHasFailed() {
    try (PolicyTestbed bed = PolicyTestbed.of(new OnePerEndpointProvider())) {
      bed.resolves(A, B);
      bed.subchannel(A).fails(Status.UNAVAILABLE);
      bed.subchannel(B).fails(Status.UNAVAILABLE);
      bed.pick();
      bed.subchannel(A).backoffEnds();
      bed.subchannel(B).backoffEnds();
      assertThat(bed.subchannel(A).connects()).isEqualTo(2);
      assertThat(bed.subchannel(B).connects()).isEqualTo(2);
    }
  }

  /** Its picker records what it sees, and drops all calls. */
  private record Seeing(List<Object> seen) implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "seeing";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      context.updateState(
          ConnectivityState.READY,
          args -> {
            seen.addAll(List.of(args.method().fullMethodName(), args.options(), args.headers()));
            return Pick.drop(Status.ABORTED);
          });
      return new Own(context, new ArrayList<>());
    }
  }

  @Test
  void pickersSeeMethodOptionsAndHeaders() {
    Metadata headers = new Metadata();
    CallOptions options = CallOptions.DEFAULT.withWaitForReady(true);
    List<Object> seen = new ArrayList<>();
    try (PolicyTestbed bed = PolicyTestbed.of(new Seeing(seen))) {
      assertThat(bed.pick(Words.SAY, options, headers)).isInstanceOf(Pick.Drop.class);
      assertThat(seen).containsExactly(Words.SAY.fullMethodName(), options, headers);
      assertThatThrownBy(bed::startCall).hasMessageContaining("would be dropped: ABORTED");
    }
  }

  @Test
  void settingsAreReadAsFromAServiceConfig() {
    LoadBalancerProvider child = LoadBalancerProvider.roundRobin();
    PolicyConfig config =
        PolicyTestbed.config(
            Map.of(
                "on",
                true,
                "size",
                3,
                "ratio",
                0.5,
                "name",
                "a",
                "time",
                Duration.ofSeconds(1),
                "names",
                List.of("a", "b"),
                "inner",
                Map.of("size", 4_000_000_000L),
                "all",
                List.of(Map.of("size", 5)),
                "childPolicy",
                child));
    assertThat(config.bool("on")).hasValue(true);
    assertThat(config.integer("size")).isEqualTo(OptionalInt.of(3));
    assertThat(config.decimal("ratio")).isEqualTo(OptionalDouble.of(0.5));
    assertThat(config.text("name")).hasValue("a");
    assertThat(config.duration("time")).hasValue(Duration.ofSeconds(1));
    assertThat(config.texts("names")).containsExactly("a", "b");
    assertThat(config.object("inner").orElseThrow().integer("size"))
        .isEqualTo(OptionalInt.of(Integer.MAX_VALUE));
    assertThat(config.objects("all").getFirst().integer("size")).isEqualTo(OptionalInt.of(5));
    assertThat(config.policy("childPolicy")).containsSame(child);
    assertThat(config.integer("missing")).isEmpty();
    assertThat(config.texts("missing")).isEmpty();
  }

  @Test
  void fieldsAreInTheOrderOfTheMapWhoseLaterChangesHaveNoEffect() {
    Map<String, Object> targets = new LinkedHashMap<>();
    targets.put("b", Map.of("weight", 3));
    targets.put("none", null);
    targets.put("a", Map.of("weight", 1));
    PolicyConfig config = PolicyTestbed.config(Map.of("targets", targets));
    assertThat(config.fields()).containsExactly("targets");
    PolicyConfig read = config.object("targets").orElseThrow();
    targets.clear();
    assertThat(read.fields()).containsExactly("b", "a").isUnmodifiable();
    assertThat(read.object("a").orElseThrow().integer("weight")).hasValue(1);
  }

  @Test
  void numbersOutsideTheRangeOfIntegersBecomeItsEnds() {
    PolicyConfig config =
        PolicyTestbed.config(
            Map.of(
                "low",
                Integer.MIN_VALUE - 1L,
                "lowest",
                Long.MIN_VALUE,
                "huge",
                BigInteger.TWO.pow(64).add(BigInteger.ONE)));
    assertThat(config.integer("low")).hasValue(Integer.MIN_VALUE);
    assertThat(config.integer("lowest")).hasValue(Integer.MIN_VALUE);
    assertThat(config.integer("huge")).hasValue(Integer.MAX_VALUE);
  }

  @Test
  void settingsOfAnotherTypeAreFaultsOfTheirField() {
    PolicyConfig config =
        PolicyTestbed.config(Map.of("size", 1.5, "inner", Map.of("on", "yes"), "list", "a"));
    assertThatThrownBy(() -> config.integer("size"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("size must be a whole number");
    assertThatThrownBy(() -> config.object("inner").orElseThrow().bool("on"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("inner.on must be a Boolean: yes");
    assertThatThrownBy(() -> config.texts("list")).hasMessage("list must be a List: a");
    assertThat(config.fault("size", "must be positive")).hasMessage("size must be positive");
  }
}
