package dev.gannet.resolver.dns;

import dev.gannet.client.balancer.LoadBalancerProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How names are looked up.
 *
 * @param refresh whether names are looked up without being asked to
 * @param configPolicies what a service config may name besides the built-in policies; empty if no
 *     service config is asked for
 * @param minTime between an answer and the next look-up
 * @param queryTimeout for one answer of one server
 * @param maxAddresses of one name
 * @param system where the system's servers stand
 */
record LookUpSettings(
    Refresh refresh,
    Optional<List<LoadBalancerProvider>> configPolicies,
    Duration minTime,
    Duration queryTimeout,
    int maxAddresses,
    SystemDns system) {
  /** When a name is looked up anew. */
  enum Refresh {
    WHEN_ASKED,
    BY_TTL
  }

  /** A look-up asks several servers, twice, and follows CNAMEs. */
  private static final int QUERIES_OF_A_LOOK_UP = 4;

  static final LookUpSettings DEFAULT =
      new LookUpSettings(
          Refresh.WHEN_ASKED,
          Optional.empty(),
          Duration.ofSeconds(30),
          Duration.ofSeconds(5),
          1024,
          SystemDns.OF_THIS_MACHINE);

  /** For everything that is asked for a name; a channel waits 30 seconds for an answer. */
  long lookUpTimeoutMillis() {
    return Math.min(queryTimeoutMillis(), Long.MAX_VALUE / QUERIES_OF_A_LOOK_UP)
        * QUERIES_OF_A_LOOK_UP;
  }

  /** Rounded up: 0 would mean that no answer is awaited. */
  long queryTimeoutMillis() {
    long millis = TimeUnit.MILLISECONDS.convert(queryTimeout);
    boolean isWhole = queryTimeout.toNanosPart() % 1_000_000 == 0 || millis == Long.MAX_VALUE;
    return isWhole ? millis : millis + 1;
  }

  long minTimeNanos() {
    return TimeUnit.NANOSECONDS.convert(minTime);
  }

  LookUpSettings withTtlRefresh() {
    return new LookUpSettings(
        Refresh.BY_TTL, configPolicies, minTime, queryTimeout, maxAddresses, system);
  }

  LookUpSettings withConfigPolicies(List<LoadBalancerProvider> policies) {
    return new LookUpSettings(
        refresh, Optional.of(policies), minTime, queryTimeout, maxAddresses, system);
  }

  LookUpSettings withMinTime(Duration time) {
    return new LookUpSettings(refresh, configPolicies, time, queryTimeout, maxAddresses, system);
  }

  LookUpSettings withQueryTimeout(Duration timeout) {
    return new LookUpSettings(refresh, configPolicies, minTime, timeout, maxAddresses, system);
  }

  LookUpSettings withMaxAddresses(int addresses) {
    return new LookUpSettings(refresh, configPolicies, minTime, queryTimeout, addresses, system);
  }

  LookUpSettings with(SystemDns other) {
    return new LookUpSettings(refresh, configPolicies, minTime, queryTimeout, maxAddresses, other);
  }
}
