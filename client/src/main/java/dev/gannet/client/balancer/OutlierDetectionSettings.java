package dev.gannet.client.balancer;

import dev.gannet.api.Preview;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The settings of {@code outlier_detection} (gRFC A50). Immutable. */
@Preview(until = "0.3")
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

  /** Ejects endpoints whose success rate is too far below the mean of all. Immutable. */
  public static final class SuccessRate {
    /** gRPC's defaults. */
    public static final SuccessRate DEFAULT = new SuccessRate(1900, 100, 5, 100);

    private final int stdevFactor;
    private final int enforcementPercentage;
    private final int minimumHosts;
    private final int requestVolume;

    private SuccessRate(
        int stdevFactor, int enforcementPercentage, int minimumHosts, int requestVolume) {
      notNegative("stdevFactor", stdevFactor);
      percentage("enforcementPercentage", enforcementPercentage);
      notNegative("minimumHosts", minimumHosts);
      notNegative("requestVolume", requestVolume);
      this.stdevFactor = stdevFactor;
      this.enforcementPercentage = enforcementPercentage;
      this.minimumHosts = minimumHosts;
      this.requestVolume = requestVolume;
    }

    /**
     * The distance, in thousandths of a standard deviation; 1,900 by default.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public SuccessRate withStdevFactor(int value) {
      return new SuccessRate(value, enforcementPercentage, minimumHosts, requestVolume);
    }

    /**
     * The probability that such an endpoint is ejected; 100 by default.
     *
     * @throws IllegalArgumentException if it is not 0 to 100
     */
    public SuccessRate withEnforcementPercentage(int percent) {
      return new SuccessRate(stdevFactor, percent, minimumHosts, requestVolume);
    }

    /**
     * The number of endpoints that must have enough calls; 5 by default.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public SuccessRate withMinimumHosts(int hosts) {
      return new SuccessRate(stdevFactor, enforcementPercentage, hosts, requestVolume);
    }

    /**
     * The number of calls that an endpoint must have in an interval; 100 by default.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public SuccessRate withRequestVolume(int calls) {
      return new SuccessRate(stdevFactor, enforcementPercentage, minimumHosts, calls);
    }

    /** This criterion with the settings of a service config. */
    SuccessRate with(ConfigFields config) {
      SuccessRate read = this;
      read = config.integer("stdevFactor", read, read::withStdevFactor);
      read = config.integer("enforcementPercentage", read, read::withEnforcementPercentage);
      read = config.integer("minimumHosts", read, read::withMinimumHosts);
      return config.integer("requestVolume", read, read::withRequestVolume);
    }

    /** {@link #withStdevFactor}, in thousandths of a standard deviation; 1,900 by default. */
    public int stdevFactor() {
      return stdevFactor;
    }

    /** {@link #withEnforcementPercentage}, 0 to 100; 100 by default. */
    public int enforcementPercentage() {
      return enforcementPercentage;
    }

    /** {@link #withMinimumHosts}; 5 by default. */
    public int minimumHosts() {
      return minimumHosts;
    }

    /** {@link #withRequestVolume}, in calls per interval; 100 by default. */
    public int requestVolume() {
      return requestVolume;
    }

    private List<Integer> values() {
      return List.of(stdevFactor, enforcementPercentage, minimumHosts, requestVolume);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof SuccessRate that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
      return values().hashCode();
    }

    @Override
    public String toString() {
      return "SuccessRate" + values();
    }
  }

  /** Ejects endpoints whose failure percentage is too high. Immutable. */
  public static final class FailurePercentage {
    /** gRPC's defaults. */
    public static final FailurePercentage DEFAULT = new FailurePercentage(85, 100, 5, 50);

    private final int threshold;
    private final int enforcementPercentage;
    private final int minimumHosts;
    private final int requestVolume;

    private FailurePercentage(
        int threshold, int enforcementPercentage, int minimumHosts, int requestVolume) {
      percentage("threshold", threshold);
      percentage("enforcementPercentage", enforcementPercentage);
      notNegative("minimumHosts", minimumHosts);
      notNegative("requestVolume", requestVolume);
      this.threshold = threshold;
      this.enforcementPercentage = enforcementPercentage;
      this.minimumHosts = minimumHosts;
      this.requestVolume = requestVolume;
    }

    /**
     * The maximum percentage of failed calls; 85 by default.
     *
     * @throws IllegalArgumentException if it is not 0 to 100
     */
    public FailurePercentage withThreshold(int value) {
      return new FailurePercentage(value, enforcementPercentage, minimumHosts, requestVolume);
    }

    /**
     * The probability that such an endpoint is ejected; 100 by default.
     *
     * @throws IllegalArgumentException if it is not 0 to 100
     */
    public FailurePercentage withEnforcementPercentage(int percent) {
      return new FailurePercentage(threshold, percent, minimumHosts, requestVolume);
    }

    /**
     * The number of endpoints that must have enough calls; 5 by default.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public FailurePercentage withMinimumHosts(int hosts) {
      return new FailurePercentage(threshold, enforcementPercentage, hosts, requestVolume);
    }

    /**
     * The number of calls that an endpoint must have in an interval; 50 by default.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public FailurePercentage withRequestVolume(int calls) {
      return new FailurePercentage(threshold, enforcementPercentage, minimumHosts, calls);
    }

    /** This criterion with the settings of a service config. */
    FailurePercentage with(ConfigFields config) {
      FailurePercentage read = this;
      read = config.integer("threshold", read, read::withThreshold);
      read = config.integer("enforcementPercentage", read, read::withEnforcementPercentage);
      read = config.integer("minimumHosts", read, read::withMinimumHosts);
      return config.integer("requestVolume", read, read::withRequestVolume);
    }

    /** {@link #withThreshold}, in percent; 85 by default. */
    public int threshold() {
      return threshold;
    }

    /** {@link #withEnforcementPercentage}, 0 to 100; 100 by default. */
    public int enforcementPercentage() {
      return enforcementPercentage;
    }

    /** {@link #withMinimumHosts}; 5 by default. */
    public int minimumHosts() {
      return minimumHosts;
    }

    /** {@link #withRequestVolume}, in calls per interval; 50 by default. */
    public int requestVolume() {
      return requestVolume;
    }

    private List<Integer> values() {
      return List.of(threshold, enforcementPercentage, minimumHosts, requestVolume);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof FailurePercentage that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
      return values().hashCode();
    }

    @Override
    public String toString() {
      return "FailurePercentage" + values();
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
   * The interval between evaluations; 10 s by default. Shorter than 10 ms, also 0, means 10 ms.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public OutlierDetectionSettings withInterval(Duration each) {
    if (Objects.requireNonNull(each, "interval").isNegative()) {
      throw new IllegalArgumentException("interval cannot be negative: " + each);
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
    Objects.requireNonNull(base, "baseEjectionTime");
    Objects.requireNonNull(longest, "maxEjectionTime");
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
        Optional.of(Objects.requireNonNull(by, "successRate")),
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
        Optional.of(Objects.requireNonNull(by, "failurePercentage")));
  }

  /** These settings with those of a service config. */
  OutlierDetectionSettings with(ConfigFields config) {
    OutlierDetectionSettings read = this;
    read = config.duration("interval", read, read::withInterval);
    Duration base = config.duration("baseEjectionTime", baseEjectionTime, it -> it);
    Duration longest = config.duration("maxEjectionTime", longer(base, maxEjectionTime), it -> it);
    read = read.withEjectionTimes(base, longest);
    read = config.integer("maxEjectionPercent", read, read::withMaxEjectionPercent);
    read = config.object("successRateEjection", read, read::withSuccessRate);
    return config.object("failurePercentageEjection", read, read::withFailurePercentage);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private OutlierDetectionSettings withSuccessRate(ConfigFields config) {
    return with(successRate.orElse(SuccessRate.DEFAULT).with(config));
  }

  private OutlierDetectionSettings withFailurePercentage(ConfigFields config) {
    return with(failurePercentage.orElse(FailurePercentage.DEFAULT).with(config));
  }

  /** {@link #withInterval}; 10 s by default. */
  public Duration interval() {
    return interval;
  }

  /** The base time of {@link #withEjectionTimes}; 30 s by default. */
  public Duration baseEjectionTime() {
    return baseEjectionTime;
  }

  /** The maximum of {@link #withEjectionTimes}; 5 minutes by default. */
  public Duration maxEjectionTime() {
    return maxEjectionTime;
  }

  /** {@link #withMaxEjectionPercent}, 0 to 100; 10 by default. */
  public int maxEjectionPercent() {
    return maxEjectionPercent;
  }

  /** The criterion of {@link #with(SuccessRate)}; empty, the default, ejects none by it. */
  public Optional<SuccessRate> successRate() {
    return successRate;
  }

  /** The criterion of {@link #with(FailurePercentage)}; empty, the default, ejects none by it. */
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

  @Override
  public String toString() {
    return "OutlierDetectionSettings[interval="
        + interval
        + ", baseEjectionTime="
        + baseEjectionTime
        + ", maxEjectionTime="
        + maxEjectionTime
        + ", maxEjectionPercent="
        + maxEjectionPercent
        + successRate.map(it -> ", " + it).orElse("")
        + failurePercentage.map(it -> ", " + it).orElse("")
        + "]";
  }
}
