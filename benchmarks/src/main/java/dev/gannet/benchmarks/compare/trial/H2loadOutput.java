package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.harness.RunFailedException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The relevant part of h2load's output. */
record H2loadOutput(double seconds, long succeeded) {
  private static final Pattern FINISHED =
      Pattern.compile("(?m)^finished in ([\\d.]+)(us|ms|s|m|h), ");
  private static final Pattern REQUESTS =
      Pattern.compile(
          "(?m)^requests: (\\d+) total, \\d+ started, (\\d+) done, (\\d+) succeeded, (\\d+) failed,"
              + " (\\d+) errored, (\\d+) timeout");
  private static final Pattern DATA = Pattern.compile("(?m)^traffic: .*, \\S+ \\((\\d+)\\) data$");
  private static final Pattern STATUS_CODES =
      Pattern.compile("(?m)^status codes: (\\d+) 2xx, (\\d+) 3xx, (\\d+) 4xx, (\\d+) 5xx");

  /**
   * Reads it.
   *
   * @param replyBytes how much DATA each answer must have had; an error of gRPC has none
   * @throws RunFailedException if not every request of {@code requests} ended with HTTP 200, or if
   *     they were not answered with as much DATA as that makes
   */
  static H2loadOutput parse(String output, long requests, int replyBytes) {
    Matcher finished = find(FINISHED, output);
    Matcher counts = find(REQUESTS, output);
    Matcher codes = find(STATUS_CODES, output);
    Matcher data = find(DATA, output);
    long succeeded = Long.parseLong(counts.group(3));
    boolean allWell =
        succeeded == requests
            && Long.parseLong(codes.group(1)) == requests
            && Long.parseLong(data.group(1)) == requests * replyBytes
            && counts.group(4).equals("0")
            && counts.group(5).equals("0")
            && counts.group(6).equals("0");
    if (!allWell) {
      throw new RunFailedException(
          "of %d requests, h2load says: %s; %s; %s"
              .formatted(requests, counts.group(), codes.group(), data.group()));
    }
    return new H2loadOutput(
        Double.parseDouble(finished.group(1)) * secondsOf(finished.group(2)), succeeded);
  }

  private static Matcher find(Pattern pattern, String output) {
    Matcher matcher = pattern.matcher(output);
    if (!matcher.find()) {
      throw new RunFailedException(
          "h2load has not said what it found: "
              + output.lines().reduce((one, other) -> other).orElse("nothing"));
    }
    return matcher;
  }

  private static double secondsOf(String unit) {
    return switch (unit) {
      case "us" -> 1e-6;
      case "ms" -> 1e-3;
      case "m" -> 60;
      case "h" -> 3600;
      default -> 1;
    };
  }
}
