package dev.gannet.client.balancer;

/**
 * What a server says of its load (gRFC A51), as far as {@code weighted_round_robin} reads it. A
 * value that the server has not given is 0.
 *
 * @param applicationUtilization how busy the application says it is; 1 is all of it, more may be
 * @param cpuUtilization how busy its processors are, likewise
 * @param queriesPerSecond how many calls it ends in a second
 * @param errorsPerSecond how many of those end with an error
 */
public record LoadReport(
    double applicationUtilization,
    double cpuUtilization,
    double queriesPerSecond,
    double errorsPerSecond) {
  /** What counts as its utilization: the application's word, or else that of its processors. */
  double utilization() {
    return applicationUtilization > 0 ? applicationUtilization : cpuUtilization;
  }
}
