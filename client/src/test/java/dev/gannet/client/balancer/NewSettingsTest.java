package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.OutlierDetectionSettings.FailurePercentage;
import dev.gannet.client.balancer.OutlierDetectionSettings.SuccessRate;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Other settings of a running policy cost no connection, and what it has learnt stays. */
final class NewSettingsTest {
  private static final String[] HOSTS = {"a", "b", "c", "d", "e"};
  private static final WeightedRoundRobinSettings WEIGHTS = WeightedRoundRobinSettings.DEFAULT;
  private static final OutlierDetectionSettings OUTLIERS =
      OutlierDetectionSettings.DEFAULT.with(FailurePercentage.DEFAULT);
  private static final OutlierDetectionSettings OTHERWISE =
      OUTLIERS.withInterval(Duration.ofSeconds(11));
  private static final LoadBalancerProvider ROUND_ROBIN = LoadBalancerProvider.roundRobin();
  private static final Metadata.Key<String> QUERIES = Metadata.Key.ascii("queries");
  private static final LoadReports BY_QUERIES =
      trailers ->
          trailers
              .get(QUERIES)
              .map(it ->
                  LoadReport.builder()
                      .applicationUtilization(1)
                      .queriesPerSecond(Double.parseDouble(it))
                      .build());

  private final FakeChannel channel = new FakeChannel();
  private LoadBalancerProvider provider = ROUND_ROBIN;
  private LoadBalancer policy = ROUND_ROBIN.create(channel);

  private void begin(LoadBalancerProvider first) {
    provider = first;
    policy = first.create(channel);
    policy.onResolved(FakeChannel.endpoints(HOSTS));
    channel.pick(); // ring_hash connects when it is asked
    channel.made.forEach(FakeAddress::becomesReady);
  }

  private boolean takes(LoadBalancerProvider next) {
    boolean taken = next.reconfigure(policy, provider);
    if (taken) {
      provider = next;
      policy.onResolved(FakeChannel.endpoints(HOSTS));
    }
    return taken;
  }

  private static LoadBalancerProvider outliers(
      OutlierDetectionSettings settings, LoadBalancerProvider child) {
    return LoadBalancerProvider.outlierDetection(settings, child);
  }

  /** Each line is a policy, and the same with other settings. */
  static final List<List<LoadBalancerProvider>> CHANGES =
      List.of(
          List.of(ROUND_ROBIN, LoadBalancerProvider.roundRobin()),
          List.of(
              LoadBalancerProvider.pickFirst(),
              LoadBalancerProvider.pickFirst(AddressOrder.SHUFFLED)),
          List.of(LoadBalancerProvider.leastRequest(2), LoadBalancerProvider.leastRequest(5)),
          List.of(
              LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT),
              LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT.withRingSizes(1, 9))),
          List.of(
              LoadBalancerProvider.weightedRoundRobin(WEIGHTS),
              LoadBalancerProvider.weightedRoundRobin(
                  WEIGHTS.withErrorUtilizationPenalty(2).withOobReportingPeriod(Duration.ZERO))),
          List.of(outliers(OUTLIERS, ROUND_ROBIN), outliers(OTHERWISE, ROUND_ROBIN)),
          List.of(
              outliers(OUTLIERS, LoadBalancerProvider.leastRequest(2)),
              outliers(OUTLIERS, LoadBalancerProvider.leastRequest(3))),
          List.of(
              outliers(OUTLIERS, LoadBalancerProvider.randomSubsetting(7, ROUND_ROBIN)),
              outliers(OUTLIERS, LoadBalancerProvider.randomSubsetting(8, ROUND_ROBIN))),
          List.of(
              outliers(OutlierDetectionSettings.DEFAULT, LoadBalancerProvider.pickFirst()),
              outliers(OTHERWISE, LoadBalancerProvider.pickFirst(AddressOrder.SHUFFLED))));

  @ParameterizedTest
  @FieldSource("CHANGES")
  void noSubchannelIsMadeOrShutDown(List<LoadBalancerProvider> change) {
    begin(change.getFirst());
    List<FakeAddress> made = List.copyOf(channel.made);
    assertThat(takes(change.getLast())).isTrue();
    channel.advance(Duration.ZERO);
    assertThat(channel.made).isEqualTo(made);
    assertThat(channel.state()).isEqualTo(ConnectivityState.READY);
    assertThat(takes(change.getFirst())).isTrue();
    policy.shutdown();
    assertThat(channel.made).isEqualTo(made).allMatch(it -> it.shutDown);
    assertThat(channel.loop.pendingTasks()).isZero();
  }

  /** Each line is a policy, and what it cannot become. */
  static final List<List<LoadBalancerProvider>> REFUSED =
      List.of(
          List.of(ROUND_ROBIN, LoadBalancerProvider.pickFirst()),
          List.of(
              LoadBalancerProvider.weightedRoundRobin(WEIGHTS),
              LoadBalancerProvider.weightedRoundRobin(WEIGHTS, BY_QUERIES)),
          List.of(
              outliers(OUTLIERS, ROUND_ROBIN),
              outliers(OutlierDetectionSettings.DEFAULT, ROUND_ROBIN)),
          List.of(
              outliers(OUTLIERS, ROUND_ROBIN),
              outliers(OUTLIERS, LoadBalancerProvider.pickFirst())));

  @ParameterizedTest
  @FieldSource("REFUSED")
  void whatItCannotTakeChangesNothing(List<LoadBalancerProvider> change) {
    begin(change.getFirst());
    int published = channel.states.size();
    int timers = channel.loop.pendingTasks();
    assertThat(takes(change.getLast())).isFalse();
    assertThat(channel.states).hasSize(published);
    assertThat(channel.made).hasSize(HOSTS.length).noneMatch(it -> it.shutDown);
    assertThat(channel.loop.pendingTasks()).isEqualTo(timers);
  }

  @Test
  void aPolicyIsAskedForSettingsOfItsOwnAlone() {
    for (List<LoadBalancerProvider> change : CHANGES) {
      begin(change.getFirst());
      LoadBalancerProvider other =
          provider.policyName().equals("round_robin")
              ? LoadBalancerProvider.pickFirst()
              : ROUND_ROBIN;
      assertThat(policy.onConfig(other)).isFalse();
    }
  }

  /** A provider of an application that gives the policies of another one a context of its own. */
  private static final class Wrapper extends ForwardingLoadBalancerProvider {
    Wrapper(int choices) {
      this(LoadBalancerProvider.leastRequest(choices));
    }

    private Wrapper(LoadBalancerProvider policy) {
      super(policy);
    }

    @Override
    public LoadBalancerProvider configured(PolicyConfig config) {
      return new Wrapper(delegate().configured(config));
    }
  }

  /** An application's policy that relies on getting the settings of its own provider. */
  private record Casting(int weight) implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "casting";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return new CastingPolicy(LoadBalancerProvider.roundRobin().create(context));
    }
  }

  private static final class CastingPolicy extends ForwardingLoadBalancer {
    private final LoadBalancer delegate;

    CastingPolicy(LoadBalancer delegate) {
      this.delegate = delegate;
    }

    @Override
    protected LoadBalancer delegate() {
      return delegate;
    }

    @Override
    public boolean onConfig(LoadBalancerProvider config) {
      return ((Casting) config).weight() > 0;
    }
  }

  @Test
  void aWrappedPolicyDoesNotGetTheSettingsOfTheWrapper() {
    begin(new Wrapper(new Casting(1)));
    assertThat(takes(new Wrapper(new Casting(2)))).isFalse();
    assertThat(new Casting(2).reconfigure(policy, new Casting(1))).isTrue();
  }

  @Test
  void settingsOfAWrapperReplaceThePolicy() {
    begin(new Wrapper(2));
    assertThat(takes(new Wrapper(3))).isFalse();
    assertThat(takes(LoadBalancerProvider.leastRequest(3))).isFalse();
  }

  @Test
  void leastRequestStillKnowsTheCallsUnderWay() {
    begin(LoadBalancerProvider.leastRequest(2));
    List.of("a", "b", "c", "d").forEach(it -> channel.of(it).begins());
    assertThat(channel.picked(50)).contains("a");
    takes(LoadBalancerProvider.leastRequest(10));
    List<String> picked = channel.picked(100);
    assertThat(picked.stream().filter("e"::equals).count()).isGreaterThan(75); // 36 of 2 choices
  }

  @Test
  void pickFirstShufflesItsNextPass() {
    begin(LoadBalancerProvider.pickFirst());
    takes(LoadBalancerProvider.pickFirst(AddressOrder.SHUFFLED));
    boolean differs = false;
    for (int i = 0; i < 10; i++) {
      channel.connected.getLast().becomesReady();
      channel.connected.getLast().is(SubchannelState.IDLE);
      policy.exitIdle();
      differs |= !channel.connected.getLast().address().equals(FakeChannel.at("a"));
    }
    assertThat(differs).isTrue();
  }

  @Test
  void ringHashHashesTheOtherHeader() {
    RingHashSettings byUser = RingHashSettings.DEFAULT.withRequestHashHeader("user");
    begin(LoadBalancerProvider.ringHash(byUser.withRequestHashHeader("tenant")));
    Metadata ada = new Metadata();
    ada.set(Metadata.Key.ascii("user"), "ada");
    takes(LoadBalancerProvider.ringHash(byUser));
    String chosen = "wait";
    for (int i = 0; i < 10; i++) {
      channel.pick(ada);
      channel.connected.getLast().becomesReady();
      chosen = i == 0 ? FakeChannel.textOf(channel.pick(ada)) : chosen;
      assertThat(FakeChannel.textOf(channel.pick(ada))).isEqualTo(chosen).isNotEqualTo("wait");
    }
  }

  @Test
  void weightsStay() {
    WeightedRoundRobinSettings settings = WEIGHTS.withBlackoutPeriod(Duration.ZERO);
    begin(LoadBalancerProvider.weightedRoundRobin(settings, BY_QUERIES));
    for (String host : HOSTS) {
      Metadata trailers = new Metadata();
      trailers.set(QUERIES, host.equals("a") ? "400" : "100");
      channel.of(host).serves(Status.OK, trailers);
    }
    channel.advance(Duration.ofSeconds(1));
    assertThat(shareOfA()).isBetween(395, 405);
    takes(
        LoadBalancerProvider.weightedRoundRobin(
            settings.withErrorUtilizationPenalty(2), BY_QUERIES));
    assertThat(shareOfA()).isBetween(395, 405);
    takes(
        LoadBalancerProvider.weightedRoundRobin(
            settings.withWeightExpirationPeriod(Duration.ofMillis(1)), BY_QUERIES));
    assertThat(shareOfA()).isBetween(155, 165);
  }

  private int shareOfA() {
    return Collections.frequency(channel.picked(800), "a");
  }

  @Test
  void reportsOutOfBandBeginAndEnd() {
    begin(LoadBalancerProvider.weightedRoundRobin(WEIGHTS));
    FakeAddress a = channel.of("a");
    assertThat(a.watches).isEmpty();
    takes(LoadBalancerProvider.weightedRoundRobin(oob(2)));
    takes(LoadBalancerProvider.weightedRoundRobin(oob(2).withBlackoutPeriod(Duration.ZERO)));
    assertThat(a.watches).hasSize(1);
    assertThat(a.tracker.onStarted(FakeChannel.ANY_CALL)).isSameAs(TrackedCall.NONE);
    takes(LoadBalancerProvider.weightedRoundRobin(oob(3)));
    assertThat(a.watches).hasSize(2);
    assertThat(a.watches.getFirst().stopped).isTrue();
    takes(LoadBalancerProvider.weightedRoundRobin(WEIGHTS));
    assertThat(a.watches).hasSize(2).allMatch(it -> it.stopped);
    assertThat(a.tracker.onStarted(FakeChannel.ANY_CALL)).isNotSameAs(TrackedCall.NONE);
  }

  private static WeightedRoundRobinSettings oob(int seconds) {
    return WEIGHTS.withOobReportingPeriod(Duration.ofSeconds(seconds));
  }

  @Test
  void weightsAreUpdatedInTheNewPeriod() {
    begin(LoadBalancerProvider.weightedRoundRobin(WEIGHTS));
    takes(
        LoadBalancerProvider.weightedRoundRobin(
            WEIGHTS.withWeightUpdatePeriod(Duration.ofHours(1))));
    channel.advance(Duration.ofSeconds(5));
    takes(LoadBalancerProvider.weightedRoundRobin(WEIGHTS));
    assertThat(channel.loop.pendingTasks()).isOne();
  }

  private void callsOfAnInterval() {
    for (String host : HOSTS) {
      Status status = host.equals("a") ? Status.UNAVAILABLE : Status.OK;
      for (int i = 0; i < 100; i++) {
        channel.of(host).serves(status, new Metadata());
      }
    }
  }

  private boolean isLeftOut(String host) {
    return !channel.picked(20).contains(host);
  }

  @Test
  void anEjectionOutlivesOtherSettingsOfItsPolicyAndOfTheChild() {
    begin(outliers(OUTLIERS, LoadBalancerProvider.leastRequest(2)));
    callsOfAnInterval();
    channel.advance(Duration.ofSeconds(10));
    assertThat(isLeftOut("a")).isTrue();
    takes(outliers(OTHERWISE.with(SuccessRate.DEFAULT), LoadBalancerProvider.leastRequest(3)));
    assertThat(isLeftOut("a")).isTrue();
    channel.advance(Duration.ofSeconds(44));
    assertThat(isLeftOut("a")).isFalse();
  }

  @Test
  void theIntervalUnderWayAndItsCountsContinue() {
    begin(outliers(OUTLIERS, ROUND_ROBIN));
    callsOfAnInterval();
    channel.advance(Duration.ofSeconds(9));
    takes(outliers(OTHERWISE, ROUND_ROBIN));
    channel.advance(Duration.ofMillis(1_999));
    assertThat(isLeftOut("a")).isFalse();
    channel.advance(Duration.ofMillis(1));
    assertThat(isLeftOut("a")).isTrue();
  }

  @Test
  void anIntervalThatIsOverByTheNewSettingsEndsAtOnce() {
    begin(outliers(OUTLIERS, ROUND_ROBIN));
    callsOfAnInterval();
    channel.advance(Duration.ofSeconds(9));
    takes(outliers(OUTLIERS.withInterval(Duration.ofSeconds(1)), ROUND_ROBIN));
    channel.advance(Duration.ZERO);
    assertThat(isLeftOut("a")).isTrue();
  }

  @Test
  void aSubsetGrowsByTheDifference() {
    begin(LoadBalancerProvider.randomSubsetting(2, ROUND_ROBIN));
    List<FakeAddress> two = List.copyOf(channel.made);
    assertThat(two).hasSize(2);
    takes(LoadBalancerProvider.randomSubsetting(3, ROUND_ROBIN));
    assertThat(channel.made).hasSize(3).containsAll(two).noneMatch(it -> it.shutDown);
  }

  // A child of another kind.

  private void becomeReady(List<FakeAddress> before) {
    channel.made.stream().filter(it -> !before.contains(it)).forEach(FakeAddress::becomesReady);
  }

  @Test
  void aChildOfAnotherNameReplacesTheChildAlone() {
    begin(outliers(OUTLIERS, ROUND_ROBIN));
    callsOfAnInterval();
    channel.advance(Duration.ofSeconds(10));
    List<FakeAddress> before = List.copyOf(channel.made);
    assertThat(takes(outliers(OUTLIERS, LoadBalancerProvider.leastRequest(2)))).isTrue();
    assertThat(channel.made).hasSize(2 * HOSTS.length);
    assertThat(isLeftOut("a")).isTrue();
    assertThat(channel.state()).isEqualTo(ConnectivityState.READY);
    assertThat(before).noneMatch(it -> it.shutDown);

    becomeReady(before);
    channel.pick();
    assertThat(before).allMatch(it -> it.shutDown);
    assertThat(isLeftOut("a")).isTrue();
    before.forEach(it -> it.listener.onState(it, SubchannelState.IDLE)); // nobody minds
    assertThat(channel.state()).isEqualTo(ConnectivityState.READY);
    policy.shutdown();
    assertThat(channel.made).allMatch(it -> it.shutDown);
  }

  @Test
  void ifTheOldChildReturnsTheNewOneIsDropped() {
    begin(outliers(OUTLIERS, ROUND_ROBIN));
    List<FakeAddress> before = List.copyOf(channel.made);
    takes(outliers(OUTLIERS, LoadBalancerProvider.leastRequest(2)));
    takes(outliers(OUTLIERS, LoadBalancerProvider.leastRequest(3)));
    assertThat(channel.made).hasSize(2 * HOSTS.length);
    takes(outliers(OUTLIERS, ROUND_ROBIN));
    assertThat(channel.made).filteredOn(it -> !it.shutDown).isEqualTo(before);
  }

  @Test
  void aThirdChildReplacesTheSecond() {
    begin(outliers(OUTLIERS, ROUND_ROBIN));
    List<FakeAddress> before = List.copyOf(channel.made);
    takes(outliers(OUTLIERS, LoadBalancerProvider.leastRequest(2)));
    takes(outliers(OUTLIERS, LoadBalancerProvider.weightedRoundRobin(WEIGHTS)));
    assertThat(channel.made).filteredOn(it -> it.shutDown).hasSize(HOSTS.length);
    assertThat(before).noneMatch(it -> it.shutDown);
    policy.shutdown();
    assertThat(channel.made).allMatch(it -> it.shutDown);
  }

  @Test
  void anOldChildThatLosesItsConnectionsIsReplacedAtOnce() {
    begin(outliers(OUTLIERS, ROUND_ROBIN));
    List<FakeAddress> before = List.copyOf(channel.made);
    takes(outliers(OUTLIERS, LoadBalancerProvider.leastRequest(2)));
    policy.onResolutionFailed(Status.UNAVAILABLE);
    policy.exitIdle();
    before.forEach(it -> it.is(SubchannelState.IDLE));
    channel.pick();
    assertThat(before).allMatch(it -> it.shutDown);
    assertThat(channel.state()).isEqualTo(ConnectivityState.CONNECTING);
    becomeReady(before);
    assertThat(channel.state()).isEqualTo(ConnectivityState.READY);
  }

  @Test
  void anOldChildWithoutAConnectionIsReplacedAtOnce() {
    provider = LoadBalancerProvider.randomSubsetting(2, ROUND_ROBIN);
    policy = provider.create(channel);
    policy.onResolved(FakeChannel.endpoints("a"));
    takes(LoadBalancerProvider.randomSubsetting(2, LoadBalancerProvider.pickFirst()));
    assertThat(channel.made.getFirst().shutDown).isTrue();
    channel.made.getLast().becomesReady();
    assertThat(channel.state()).isEqualTo(ConnectivityState.READY);
  }

  /** A policy of an application over {@link LoadBalancer#overReadyEndpoints}. */
  private record Last(String how) implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "last";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return LoadBalancer.overReadyEndpoints(context, new Chooser(how));
    }

    private static final class Chooser implements EndpointChooser<CallTracker> {
      private String how;

      Chooser(String how) {
        this.how = how;
      }

      @Override
      public boolean onConfig(LoadBalancerProvider config) {
        how = ((Last) config).how();
        return true;
      }

      @Override
      public CallTracker newTracker(Endpoint endpoint) {
        return CallTracker.NONE;
      }

      @Override
      public Picker among(List<ReadyEndpoint<CallTracker>> ready) {
        return how.equals("last") ? ready.getLast().picker() : ready.getFirst().picker();
      }
    }
  }

  @Test
  void aChooserTakesNewSettings() {
    begin(new Last("first"));
    assertThat(channel.picked()).isEqualTo("a");
    assertThat(takes(new Last("last"))).isTrue();
    assertThat(channel.picked()).isEqualTo("e");
  }

  @Test
  void byDefaultAPolicyTakesNone() {
    LoadBalancer simple =
        new LoadBalancer() {
          @Override
          public void onResolved(Resolution.Resolved resolved) {}

          @Override
          public void onResolutionFailed(Status why) {}

          @Override
          public void exitIdle() {}

          @Override
          public void shutdown() {}
        };
    assertThat(new Last("first").reconfigure(simple, new Last("last"))).isFalse();
    assertThat(new Last("first").reconfigure(simple, new Last("first"))).isTrue();
  }
}
