package dev.gannet.client.balancer;

import java.util.Map;

/**
 * A server's report about its load (gRFC A51). Missing values are 0.
 *
 * @param applicationUtilization the application's own measure of its utilization; 1 is full, more
 *     is possible
 * @param cpuUtilization the utilization of its processors; 1 is full, more is possible
 * @param queriesPerSecond completed calls per second
 * @param errorsPerSecond failed calls per second
 * @param memoryUtilization the used part of its memory, 0 to 1
 * @param requestCost the cost of the call, by names of the application
 * @param utilization the utilization of resources that the application names, 0 to 1
 * @param namedMetrics other metrics of the application
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

  /** Only the values that {@code weighted_round_robin} uses. */
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

  /** The utilization: that of the application, or else that of the processors. */
  double inUse() {
    return applicationUtilization > 0 ? applicationUtilization : cpuUtilization;
  }
}
