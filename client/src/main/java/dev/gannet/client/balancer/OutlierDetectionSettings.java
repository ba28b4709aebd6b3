package dev.gannet.client.balancer;

import dev.gannet.api.Preview;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The settings of {@code outlier_detection} (gRFC A50). Immutable. */
@Preview
public final class OutlierDetectionSettings {
  /** gRPC's defaults; nothing is ejected until a criterion is set. */
  public static final OutlierDetectionSettings DEFAULT =
      new OutlierDetectionSettings(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofMinutes(5),
          10,
          Optional.empty(),
          Optional.empty());

  /**
   * Ejects endpoints whose success rate is too far below the mean of all.
   *
   * @param stdevFactor the distance, in thousandths of a standard deviation; 1,900 in gRPC
   * @param enforcementPercentage the probability that such an endpoint is ejected; 100 in gRPC
   * @param minimumHosts the number of endpoints that must have enough calls; 5 in gRPC
   * @param requestVolume the number of calls that an endpoint must have in an interval; 100 in gRPC
   */
  public record SuccessRate(
      int stdevFactor, int enforcementPercentage, int minimumHosts, int requestVolume) {
    /** gRPC's defaults. */
    public static final SuccessRate DEFAULT = new SuccessRate(1900, 100, 5, 100);

    /** Checks them. */
    public SuccessRate {
      notNegative("stdevFactor", stdevFactor);
      percentage("enforcementPercentage", enforcementPercentage);
      notNegative("minimumHosts", minimumHosts);
      notNegative("requestVolume", requestVolume);
    }
  }

  /**
   * Ejects endpoints whose failure percentage is too high.
   *
   * @param threshold the maximum percentage of failed calls; 85 in gRPC
   * @param enforcementPercentage the probability that such an endpoint is ejected; 100 in gRPC
   * @param minimumHosts the number of endpoints that must have enough calls; 5 in gRPC
   * @param requestVolume the number of calls that an endpoint must have in an interval; 50 in gRPC
   */
  public record FailurePercentage(
      int threshold, int enforcementPercentage, int minimumHosts, int requestVolume) {
    /** gRPC's defaults. */
    public static final FailurePercentage DEFAULT = new FailurePercentage(85, 100, 5, 50);

    /** Checks them. */
    public FailurePercentage {
      percentage("threshold", threshold);
      percentage("enforcementPercentage", enforcementPercentage);
      notNegative("minimumHosts", minimumHosts);
      notNegative("requestVolume", requestVolume);
    }
  }

  private final Duration interval;
  private final Duration baseEjectionTime;
  private final Duration maxEjectionTime;
  private final int maxEjectionPercent;
  private final Optional<SuccessRate> successRate;
  private final Optional<FailurePercentage> failurePercentage;

  private OutlierDetectionSettings(
      Duration interval,
      Duration baseEjectionTime,
      Duration maxEjectionTime,
      int maxEjectionPercent,
      Optional<SuccessRate> successRate,
      Optional<FailurePercentage> failurePercentage) {
    this.interval = interval;
    this.baseEjectionTime = baseEjectionTime;
    this.maxEjectionTime = maxEjectionTime;
    this.maxEjectionPercent = maxEjectionPercent;
    this.successRate = successRate;
    this.failurePercentage = failurePercentage;
  }

  private static void notNegative(String name, int value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " cannot be negative: " + value);
    }
  }

  private static void percentage(String name, int value) {
    if (value < 0 || value > 100) {
      throw new IllegalArgumentException(name + " must be 0 to 100: " + value);
    }
  }

  /**
   * The interval between evaluations; 10 s by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public OutlierDetectionSettings withInterval(Duration each) {
    if (!each.isPositive()) {
      throw new IllegalArgumentException("interval must be positive: " + each);
    }
    return new OutlierDetectionSettings(
        each,
        baseEjectionTime,
        maxEjectionTime,
        maxEjectionPercent,
        successRate,
        failurePercentage);
  }

  /**
   * The ejection time: the base time multiplied by the number of recent ejections, up to the
   * maximum; 30 s and 5 minutes by default.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public OutlierDetectionSettings withEjectionTimes(Duration base, Duration longest) {
    if (base.isNegative() || longest.isNegative()) {
      throw new IllegalArgumentException(
          "ejection times cannot be negative: " + base + ", " + longest);
    }
    return new OutlierDetectionSettings(
        interval, base, longest, maxEjectionPercent, successRate, failurePercentage);
  }

  /**
   * The maximum percentage of ejected endpoints; 10 by default. One endpoint may always be ejected,
   * unless this is 0.
   *
   * @throws IllegalArgumentException if it is not 0 to 100
   */
  public OutlierDetectionSettings withMaxEjectionPercent(int percent) {
    percentage("maxEjectionPercent", percent);
    return new OutlierDetectionSettings(
        interval, baseEjectionTime, maxEjectionTime, percent, successRate, failurePercentage);
  }

  /** Ejects by success rate. */
  public OutlierDetectionSettings with(SuccessRate by) {
    return new OutlierDetectionSettings(
        interval,
        baseEjectionTime,
        maxEjectionTime,
        maxEjectionPercent,
        Optional.of(by),
        failurePercentage);
  }

  /** Ejects by failure percentage. */
  public OutlierDetectionSettings with(FailurePercentage by) {
    return new OutlierDetectionSettings(
        interval,
        baseEjectionTime,
        maxEjectionTime,
        maxEjectionPercent,
        successRate,
        Optional.of(by));
  }

  public Duration interval() {
    return interval;
  }

  public Duration baseEjectionTime() {
    return baseEjectionTime;
  }

  public Duration maxEjectionTime() {
    return maxEjectionTime;
  }

  public int maxEjectionPercent() {
    return maxEjectionPercent;
  }

  public Optional<SuccessRate> successRate() {
    return successRate;
  }

  public Optional<FailurePercentage> failurePercentage() {
    return failurePercentage;
  }

  private List<Object> values() {
    return List.of(
        interval,
        baseEjectionTime,
        maxEjectionTime,
        maxEjectionPercent,
        successRate,
        failurePercentage);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OutlierDetectionSettings that && values().equals(that.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }
}
