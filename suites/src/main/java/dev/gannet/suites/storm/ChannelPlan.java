package dev.gannet.suites.storm;

import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.client.balancer.AddressOrder;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.OutlierDetectionSettings;
import dev.gannet.client.balancer.RingHashSettings;
import dev.gannet.client.balancer.WeightedRoundRobinSettings;
import java.time.Duration;

/**
 * What the channels of a storm are like: how many servers there are for them, and how they choose.
 *
 * @param idles whether they go idle as soon as they may
 * @param connections how many they make to one server, if its limit of calls asks for more
 */
record ChannelPlan(
    int servers, Balancing balancing, Attempts attempts, boolean idles, int connections) {
  private static final int MAX_SERVERS = 5;
  private static final int MAX_CONNECTIONS = 3;
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** The load-balancing policy. */
  enum Balancing {
    /** There is one server, and the channel was given its address. */
    ONE_SERVER,
    PICK_FIRST,
    PICK_FIRST_SHUFFLED,
    ROUND_ROBIN,
    LEAST_REQUEST,
    WEIGHTED_ROUND_ROBIN,
    RING_HASH,
    OUTLIER_DETECTION,
    RANDOM_SUBSETTING;

    LoadBalancerProvider provider() {
      return switch (this) {
        case ONE_SERVER, PICK_FIRST -> LoadBalancerProvider.pickFirst();
        case PICK_FIRST_SHUFFLED -> LoadBalancerProvider.pickFirst(AddressOrder.SHUFFLED);
        case ROUND_ROBIN -> LoadBalancerProvider.roundRobin();
        case LEAST_REQUEST -> LoadBalancerProvider.leastRequest(2);
        case WEIGHTED_ROUND_ROBIN ->
            LoadBalancerProvider.weightedRoundRobin(WeightedRoundRobinSettings.DEFAULT);
        case RING_HASH -> LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT);
        case OUTLIER_DETECTION ->
            LoadBalancerProvider.outlierDetection(
                OutlierDetectionSettings.DEFAULT.with(OutlierDetectionSettings.SuccessRate.DEFAULT),
                LoadBalancerProvider.roundRobin());
        case RANDOM_SUBSETTING ->
            LoadBalancerProvider.randomSubsetting(2, LoadBalancerProvider.roundRobin());
      };
    }
  }

  static ChannelPlan random(Odds odds) {
    Balancing balancing = odds.oneIn(3) ? Balancing.ONE_SERVER : odds.oneOf(Balancing.values());
    return new ChannelPlan(
        balancing == Balancing.ONE_SERVER ? 1 : 1 + odds.below(MAX_SERVERS),
        balancing,
        Attempts.random(odds),
        odds.oneIn(5),
        odds.oneIn(4) ? 1 + odds.below(MAX_CONNECTIONS) : 1);
  }

  /** Whether they make another connection where one was closed, and not when a call needs it. */
  boolean reconnectsAtOnce() {
    return switch (balancing) {
      case ONE_SERVER, PICK_FIRST, PICK_FIRST_SHUFFLED, RING_HASH -> false;
      case ROUND_ROBIN, LEAST_REQUEST, WEIGHTED_ROUND_ROBIN, OUTLIER_DETECTION, RANDOM_SUBSETTING ->
          true;
    };
  }

  /** A channel that finds the servers of that fleet, and connects to them over that transport. */
  ManagedChannelBuilder builder(Fleet fleet, StormTransport transport, Odds odds) {
    ManagedChannelBuilder builder =
        balancing == Balancing.ONE_SERVER
            ? transport.channelToFirst()
            : ManagedChannel.builder(Fleet.TARGET)
                .addNameResolver(fleet)
                .loadBalancer(balancing.provider());
    attempts.applyTo(builder, odds);
    if (idles) {
      builder.idleTimeout(SECOND);
    }
    return transport.applyTo(builder.maxConnectionsPerSubchannel(connections));
  }

  @Override
  public String toString() {
    return "%s of %d servers, %s, %d connections%s"
        .formatted(balancing, servers, attempts, connections, idles ? ", idles" : "");
  }
}
