package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.LoadReport;
import dev.gannet.client.balancer.OutlierDetectionSettings;
import dev.gannet.client.balancer.RingHashSettings;
import dev.gannet.client.balancer.WeightedRoundRobinSettings;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Each policy in a channel with real servers: how many calls each server gets, and how they end.
 */
@Timeout(120)
final class PoliciesOverSocketsTest {
  private static final byte[] MESSAGE = {1, 2, 3};
  private static final int CALLS = 300;

  private final Fleet fleet = new Fleet();

  @AfterEach
  void end() {
    fleet.close();
  }

  private ManagedChannel channel(LoadBalancerProvider policy) {
    return ManagedChannel.builder("fleet:///name")
        .addNameResolver(fleet)
        .loadBalancer(policy)
        .plaintext()
        .build();
  }

  private void addThree() throws IOException {
    for (int i = 0; i < 3; i++) {
      fleet.add();
    }
  }

  /** Calls until all that can be ready have had one. */
  private void awaitAll(ManagedChannel channel) throws Exception {
    while (fleet.members().stream().anyMatch(it -> it.calls.get() == 0)) {
      assertThat(Caller.call(channel, MESSAGE)).isEqualTo(Status.OK);
    }
  }

  private List<Integer> shares(ManagedChannel channel) throws Exception {
    fleet.members().forEach(it -> it.calls.set(0));
    for (int i = 0; i < CALLS; i++) {
      assertThat(Caller.call(channel, MESSAGE)).isEqualTo(Status.OK);
    }
    return fleet.members().stream().map(it -> it.calls.get()).toList();
  }

  @Test
  void roundRobinServesAThirdEachAndSurvivesTheLossOfAServer() throws Exception {
    addThree();
    try (ManagedChannel channel = channel(LoadBalancerProvider.roundRobin())) {
      awaitAll(channel);
      assertThat(shares(channel)).containsOnly(CALLS / 3);
      Fleet.Member dead = fleet.members().get(2);
      int port = dead.server.port();
      dead.server.close();
      fleet.remove(dead);
      assertThat(shares(channel).stream().mapToInt(it -> it).sum()).isEqualTo(CALLS);
      Fleet.Member back = fleet.add(port);
      fleet.publish();
      awaitAll(channel);
      assertThat(shares(channel)).containsOnly(CALLS / 3);
      assertThat(back.calls.get()).isPositive();
    }
  }

  @Test
  void addressesMayBeInTheTargetOrInTheCode() throws Exception {
    addThree();
    List<SocketAddress> addresses =
        fleet.members().stream().<SocketAddress>map(Fleet.Member::address).toList();
    String listed =
        fleet.members().stream()
            .map(it -> "127.0.0.1:" + it.server.port())
            .collect(Collectors.joining(","));
    for (ManagedChannel channel :
        List.of(
            ManagedChannel.builder("ipv4:" + listed).roundRobin().plaintext().build(),
            ManagedChannel.builder("name.test")
                .addresses(addresses)
                .loadBalancer("round_robin")
                .plaintext()
                .build())) {
      try (channel) {
        fleet.members().forEach(it -> it.calls.set(0));
        awaitAll(channel);
        assertThat(shares(channel)).containsOnly(CALLS / 3);
      }
    }
  }

  @Test
  void pickFirstStaysWithOne() throws Exception {
    addThree();
    try (ManagedChannel channel = channel(LoadBalancerProvider.pickFirst())) {
      assertThat(shares(channel)).containsExactly(CALLS, 0, 0);
    }
  }

  @Test
  void leastRequestSpreadsCallsOverAll() throws Exception {
    addThree();
    try (ManagedChannel channel = channel(LoadBalancerProvider.leastRequest(2))) {
      awaitAll(channel);
      assertThat(shares(channel)).allMatch(it -> it > CALLS / 6);
    }
  }

  @Test
  void weightedRoundRobinFollowsTheReports() throws Exception {
    addThree();
    for (int i = 0; i < 3; i++) {
      fleet.members().get(i).load = String.valueOf((i + 1) * 0.25);
    }
    WeightedRoundRobinSettings settings =
        WeightedRoundRobinSettings.DEFAULT
            .withBlackoutPeriod(Duration.ZERO)
            .withWeightUpdatePeriod(Duration.ofMillis(100));
    try (ManagedChannel channel =
        channel(
            LoadBalancerProvider.weightedRoundRobin(settings, PoliciesOverSocketsTest::loadIn))) {
      awaitAll(channel);
      List<Integer> shares = shares(channel);
      while (!areByWeight(shares)) { // until the weights of all three take effect
        shares = shares(channel);
      }
      shares = shares(channel);
      assertThat(areByWeight(shares)).as("%s", shares).isTrue();
      fleet.members().get(2).load = "0.05";
      while (shares.get(2) < CALLS / 2) {
        shares = shares(channel);
      }
    }
  }

  /** 6, 3 and 2 of 11. */
  private static boolean areByWeight(List<Integer> shares) {
    return Math.abs(shares.get(0) - 164) <= 2
        && Math.abs(shares.get(1) - 82) <= 2
        && Math.abs(shares.get(2) - 55) <= 2;
  }

  /** What a member of the fleet says of its load. */
  static Optional<LoadReport> loadIn(Metadata trailers) {
    return trailers
        .get(Fleet.LOAD)
        .map(it ->
            LoadReport.builder()
                .applicationUtilization(Double.parseDouble(it))
                .queriesPerSecond(100)
                .build());
  }

  @Test
  void ringHashKeepsAKeyWithItsServer() throws Exception {
    addThree();
    try (ManagedChannel channel =
        channel(LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT))) {
      for (int key = 0; key < 30; key++) {
        fleet.members().forEach(it -> it.calls.set(0));
        CallOptions options =
            CallOptions.DEFAULT
                .withWaitForReady(true)
                .withOption(RingHashSettings.HASH_KEY, "key" + key);
        for (int i = 0; i < 5; i++) {
          Caller caller = Caller.begin(channel, EchoService.UNARY, MESSAGE, options);
          caller.halfClose();
          assertThat(caller.status()).isEqualTo(Status.OK);
        }
        assertThat(fleet.members()).extracting(it -> it.calls.get()).containsOnlyOnce(5);
      }
    }
  }

  @Test
  void subsettingAndOutlierDetectionWrapOtherPolicies() throws Exception {
    addThree();
    OutlierDetectionSettings settings =
        OutlierDetectionSettings.DEFAULT.with(OutlierDetectionSettings.SuccessRate.DEFAULT);
    LoadBalancerProvider tree =
        LoadBalancerProvider.randomSubsetting(
            2, LoadBalancerProvider.outlierDetection(settings, LoadBalancerProvider.roundRobin()));
    try (ManagedChannel channel = channel(tree)) {
      while (shares(channel).stream().filter(it -> it == CALLS / 2).count() < 2) {
        Thread.onSpinWait(); // until both are ready
      }
      assertThat(shares(channel)).containsOnlyOnce(0);
    }
  }

  @Test
  void drainingServersFailNoCall() throws Exception {
    for (int i = 0; i < 20; i++) {
      fleet.add();
    }
    Queue<Status> failures = new ConcurrentLinkedQueue<>();
    AtomicInteger made = new AtomicInteger();
    AtomicBoolean over = new AtomicBoolean();
    try (ManagedChannel channel = channel(LoadBalancerProvider.roundRobin())) {
      awaitAll(channel);
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        callers.add(Thread.startVirtualThread(() -> callOn(channel, over, made, failures)));
      }
      for (int i = 0; i < 40; i++) {
        Fleet.Member gone = fleet.members().getFirst();
        fleet.remove(gone);
        fleet.add();
        if (i % 2 == 0) {
          fleet.publish(); // otherwise the channel learns of it by the GOAWAY, and resolves again
        }
        gone.server.close(); // which waits for its calls
      }
      over.set(true);
      for (Thread caller : callers) {
        caller.join();
      }
      Map<Integer, Integer> shares =
          IntStream.range(0, 20)
              .boxed()
              .collect(Collectors.toMap(it -> it, it -> fleet.members().get(it).calls.get()));
      assertThat(failures).as("of %s calls, %s", made, shares).isEmpty();
      assertThat(made.get()).isGreaterThan(100);
    }
  }

  private static void callOn(
      ManagedChannel channel, AtomicBoolean over, AtomicInteger made, Queue<Status> failures) {
    while (!over.get()) {
      Caller caller = Caller.begin(channel, EchoService.UNARY, MESSAGE);
      caller.halfClose();
      made.incrementAndGet();
      try {
        Status status = caller.status();
        if (!status.isOk()) {
          failures.add(status);
        }
      } catch (Exception e) {
        failures.add(Status.UNKNOWN.withCause(e));
        return;
      }
    }
  }
}
