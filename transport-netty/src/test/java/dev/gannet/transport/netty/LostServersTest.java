package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.OutlierDetectionSettings;
import dev.gannet.client.balancer.RingHashSettings;
import dev.gannet.client.balancer.WeightedRoundRobinSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each policy by a channel over three real servers, of which one is lost and comes back. */
@Timeout(120)
final class LostServersTest {
  private static final byte[] MESSAGE = {1, 2, 3};
  private static final int CALLS = 90;
  private static final int KEYS = 40;
  private static final OutlierDetectionSettings BY_FAILURES =
      OutlierDetectionSettings.DEFAULT
          .withInterval(Duration.ofMillis(100))
          .withEjectionTimes(Duration.ofMillis(200), Duration.ofMillis(200))
          .withMaxEjectionPercent(50)
          .with(
              OutlierDetectionSettings.FailurePercentage.DEFAULT
                  .withThreshold(50)
                  .withMinimumHosts(3)
                  .withRequestVolume(5));

  private final Fleet fleet = new Fleet();

  @AfterEach
  void end() {
    fleet.close();
  }

  private ManagedChannel channel(LoadBalancerProvider policy) throws IOException {
    for (int i = 0; i < 3; i++) {
      fleet.add();
    }
    return ManagedChannel.builder("fleet:///name")
        .addNameResolver(fleet)
        .loadBalancer(policy)
        .plaintext()
        .build();
  }

  /** How many of some calls each member had; empty if a call failed. */
  private List<Integer> shares(ManagedChannel channel) throws Exception {
    fleet.members().forEach(it -> it.calls.set(0));
    boolean good = true;
    for (int i = 0; i < CALLS; i++) {
      good &= Caller.call(channel, MESSAGE).isOk();
    }
    return good ? fleet.members().stream().map(it -> it.calls.get()).toList() : List.of();
  }

  /** Calls until the shares are such, with no call that fails among them. */
  private void awaitShares(ManagedChannel channel, Predicate<List<Integer>> such) throws Exception {
    List<Integer> shares = shares(channel);
    while (shares.isEmpty() || !such.test(shares)) {
      shares = shares(channel);
    }
  }

  private static boolean fair(List<Integer> shares) {
    return shares.stream().allMatch(it -> it > CALLS / 6);
  }

  /** Ends it at once; its address stays known. */
  private static void kill(Fleet.Member member) throws InterruptedException {
    member.server.shutdownNow();
    member.server.awaitTermination();
  }

  /** Another server at the same address, in its place. */
  private void bringBack(Fleet.Member dead, ManagedChannel channel) throws IOException {
    fleet.replace(dead);
    channel.resetConnectBackoff();
  }

  static Stream<Named<LoadBalancerProvider>> policiesThatSpread() {
    return Stream.of(
            LoadBalancerProvider.roundRobin(),
            LoadBalancerProvider.leastRequest(2),
            LoadBalancerProvider.weightedRoundRobin(WeightedRoundRobinSettings.DEFAULT),
            LoadBalancerProvider.outlierDetection(BY_FAILURES, LoadBalancerProvider.roundRobin()),
            LoadBalancerProvider.randomSubsetting(3, LoadBalancerProvider.roundRobin()))
        .map(it -> Named.of(it.policyName(), it));
  }

  @ParameterizedTest
  @MethodSource("policiesThatSpread")
  void aLostServerGetsNoCallsUntilItIsBack(LoadBalancerProvider policy) throws Exception {
    try (ManagedChannel channel = channel(policy)) {
      awaitShares(channel, LostServersTest::fair);
      Fleet.Member lost = fleet.members().get(1);
      kill(lost);
      awaitShares(channel, it -> it.get(1) == 0 && it.get(0) > CALLS / 4);
      bringBack(lost, channel);
      awaitShares(channel, LostServersTest::fair);
    }
  }

  @Test
  void pickFirstContinuesWithTheNextServerAndStaysThere() throws Exception {
    try (ManagedChannel channel = channel(LoadBalancerProvider.pickFirst())) {
      awaitShares(channel, List.of(CALLS, 0, 0)::equals);
      Fleet.Member lost = fleet.members().get(0);
      kill(lost);
      awaitShares(channel, List.of(0, CALLS, 0)::equals);
      bringBack(lost, channel);
      assertThat(shares(channel)).containsExactly(0, CALLS, 0);
    }
  }

  @Test
  void ringHashMovesOnlyTheKeysOfALostServerAndMovesThemBack() throws Exception {
    try (ManagedChannel channel =
        channel(LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT))) {
      List<Integer> before = serversOfKeys(channel);
      assertThat(before).contains(0, 1, 2);
      Fleet.Member lost = fleet.members().get(1);
      kill(lost);
      List<Integer> without = serversOfKeys(channel);
      for (int key = 0; key < KEYS; key++) {
        if (before.get(key) == 1) {
          assertThat(without.get(key)).as("key %d", key).isIn(0, 2);
        } else {
          assertThat(without.get(key)).as("key %d", key).isEqualTo(before.get(key));
        }
      }
      bringBack(lost, channel);
      while (!serversOfKeys(channel).equals(before)) {
        Thread.onSpinWait(); // until it is connected to again
      }
    }
  }

  private List<Integer> serversOfKeys(ManagedChannel channel) throws Exception {
    List<Integer> servers = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      servers.add(serverOfKey(channel, "key" + key));
    }
    return servers;
  }

  private int serverOfKey(ManagedChannel channel, String key) throws Exception {
    CallOptions options =
        CallOptions.DEFAULT.withWaitForReady(true).withOption(RingHashSettings.HASH_KEY, key);
    while (true) { // until a call goes well: one may meet the connection as it is lost
      fleet.members().forEach(it -> it.calls.set(0));
      Caller caller = Caller.begin(channel, EchoService.UNARY, MESSAGE, options);
      caller.halfClose();
      if (caller.status().isOk()) {
        return fleet.members().stream().map(it -> it.calls.get()).toList().indexOf(1);
      }
    }
  }

  @Test
  void outlierDetectionEjectsAFailingServerUntilItServesAgain() throws Exception {
    try (ManagedChannel channel =
        channel(
            LoadBalancerProvider.outlierDetection(
                BY_FAILURES, LoadBalancerProvider.roundRobin()))) {
      awaitShares(channel, LostServersTest::fair);
      fleet.members().get(2).failing = true;
      awaitShares(channel, it -> it.get(2) == 0);
      fleet.members().get(2).failing = false;
      awaitShares(channel, LostServersTest::fair);
    }
  }

  @Test
  void randomSubsettingReplacesARemovedServer() throws Exception {
    try (ManagedChannel channel =
        channel(LoadBalancerProvider.randomSubsetting(2, LoadBalancerProvider.roundRobin()))) {
      awaitShares(channel, it -> it.stream().filter(calls -> calls == CALLS / 2).count() == 2);
      int spare = shares(channel).indexOf(0);
      Fleet.Member other = fleet.members().get(spare);
      Fleet.Member gone = fleet.members().get((spare + 1) % 3);
      fleet.remove(gone);
      fleet.publish();
      gone.server.close();
      awaitShares(channel, it -> it.stream().allMatch(calls -> calls == CALLS / 2));
      assertThat(other.calls.get()).isEqualTo(CALLS / 2);
    }
  }

  @Test
  void aPolicyFollowsReportedWeights() throws Exception {
    WeightedRoundRobinSettings settings =
        WeightedRoundRobinSettings.DEFAULT
            .withBlackoutPeriod(Duration.ZERO)
            .withWeightUpdatePeriod(Duration.ofMillis(100));
    try (ManagedChannel channel =
        channel(
            LoadBalancerProvider.weightedRoundRobin(settings, PoliciesOverSocketsTest::loadIn))) {
      List<String> loads = List.of("0.1", "0.2", "0.4");
      for (int turn = 0; turn < 3; turn++) { // each has the least load once
        for (int i = 0; i < 3; i++) {
          fleet.members().get(i).load = loads.get((i + turn) % 3);
        }
        int first = (3 - turn) % 3;
        awaitShares(
            channel, it -> it.get(first) > it.get((first + 1) % 3) + CALLS / 10 && most(it, first));
      }
    }
  }

  private static boolean most(List<Integer> shares, int index) {
    return shares.stream().max(Integer::compare).orElseThrow().equals(shares.get(index));
  }
}
