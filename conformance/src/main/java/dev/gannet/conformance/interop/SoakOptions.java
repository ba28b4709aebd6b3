package dev.gannet.conformance.interop;

import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of the soak cases, which all clients of the interop tests have. */
final class SoakOptions {
  @Option(
      names = "--soak_iterations",
      defaultValue = "10",
      description = "Soak cases: how many calls to make. Default: 10.")
  private int iterations;

  @Option(
      names = "--soak_max_failures",
      defaultValue = "0",
      description = "Soak cases: how many of them may fail. Default: 0.")
  private int maxFailures;

  @Option(
      names = "--soak_per_iteration_max_acceptable_latency_ms",
      defaultValue = "1000",
      description = "Soak cases: a call that takes longer has failed. Default: 1000.")
  private int maxLatencyMillis;

  @Option(
      names = "--soak_overall_timeout_seconds",
      defaultValue = "10",
      description = "Soak cases: how long all of them may take. Default: 10.")
  private int overallTimeoutSeconds;

  @Option(
      names = "--soak_min_time_ms_between_rpcs",
      defaultValue = "0",
      description = "Soak cases: the time between the starts of two calls. Default: 0.")
  private int minMillisBetweenCalls;

  @Option(
      names = "--soak_request_size",
      defaultValue = "271828",
      description = "Soak cases: payload of a request in bytes. Default: 271828.")
  private int requestBytes;

  @Option(
      names = "--soak_response_size",
      defaultValue = "314159",
      description = "Soak cases: payload of a response in bytes. Default: 314159.")
  private int responseBytes;

  @Option(
      names = "--soak_num_threads",
      defaultValue = "1",
      description =
          "Soak cases: how many threads share the calls; must divide their number. Default: 1.")
  private int threads;

  SoakOptions() {}

  /** What is wrong with them; empty if they are valid. */
  String fault() {
    if (iterations < 1 || threads < 1 || iterations % threads != 0) {
      return "--soak_num_threads must divide --soak_iterations, and both be 1 or more";
    }
    boolean negative =
        maxFailures < 0
            || maxLatencyMillis < 0
            || overallTimeoutSeconds < 0
            || minMillisBetweenCalls < 0
            || requestBytes < 0
            || responseBytes < 0;
    return negative ? "no option of the soak cases may be negative" : "";
  }

  int iterations() {
    return iterations;
  }

  int maxFailures() {
    return maxFailures;
  }

  Duration maxLatency() {
    return Duration.ofMillis(maxLatencyMillis);
  }

  Duration overallTimeout() {
    return Duration.ofSeconds(overallTimeoutSeconds);
  }

  Duration minTimeBetweenCalls() {
    return Duration.ofMillis(minMillisBetweenCalls);
  }

  int requestBytes() {
    return requestBytes;
  }

  int responseBytes() {
    return responseBytes;
  }

  int threads() {
    return threads;
  }
}
