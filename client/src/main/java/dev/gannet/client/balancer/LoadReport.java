package dev.gannet.client.balancer;

import java.util.Map;

/**
 * What a server says of its load (gRFC A51). A value that the server has not given is 0.
 *
 * @param applicationUtilization how busy the application says it is; 1 is all of it, more may be
 * @param cpuUtilization how busy its processors are, likewise
 * @param queriesPerSecond how many calls it ends in a second
 * @param errorsPerSecond how many of those end with an error
 * @param memoryUtilization how much of its memory is in use, 0 to 1
 * @param requestCost what the call has cost, by names of the application's
 * @param utilization how busy resources are that the application names, 0 to 1
 * @param namedMetrics other numbers of the application's
 */
public record LoadReport(
    double applicationUtilization,
    double cpuUtilization,
    double queriesPerSecond,
    double errorsPerSecond,
    double memoryUtilization,
    Map<String, Double> requestCost,
    Map<String, Double> utilization,
    Map<String, Double> namedMetrics) {
  /** All maps are copied. */
  public LoadReport {
    requestCost = Map.copyOf(requestCost);
    utilization = Map.copyOf(utilization);
    namedMetrics = Map.copyOf(namedMetrics);
  }

  /** What {@code weighted_round_robin} reads, and nothing else. */
  public LoadReport(
      double applicationUtilization,
      double cpuUtilization,
      double queriesPerSecond,
      double errorsPerSecond) {
    this(
        applicationUtilization,
        cpuUtilization,
        queriesPerSecond,
        errorsPerSecond,
        0,
        Map.of(),
        Map.of(),
        Map.of());
  }

  /** What counts as its utilization: the application's word, or else that of its processors. */
  double inUse() {
    return applicationUtilization > 0 ? applicationUtilization : cpuUtilization;
  }
}
