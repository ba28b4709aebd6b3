package dev.gannet.client.balancer;

import dev.gannet.api.Preview;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The settings of {@code outlier_detection} (gRFC A50). Immutable. */
@Preview(until = "0.3")
public final class OutlierDetectionSettings {
  /** gRPC's defaults; nothing is ejected until a criterion is set. */
  public static final OutlierDetectionSettings DEFAULT = new OutlierDetectionSettings(new Values());

  /** Ejects endpoints whose success rate is too far below the mean of all. Immutable. */
  public static final class SuccessRate {
    /** gRPC's defaults. */
    public static final SuccessRate DEFAULT = new SuccessRate(new RateValues());

    /** The values of one instance; only written during construction. */
    private static final class RateValues {
      private int stdevFactor = 1900;
      private int enforcementPercentage = 100;
      private int minimumHosts = 5;
      private int requestVolume = 100;

      RateValues() {}

      RateValues(RateValues other) {
        stdevFactor = other.stdevFactor;
        enforcementPercentage = other.enforcementPercentage;
        minimumHosts = other.minimumHosts;
        requestVolume = other.requestVolume;
      }

      List<Integer> all() {
        return List.of(stdevFactor, enforcementPercentage, minimumHosts, requestVolume);
      }
    }

    private final RateValues values;

    private SuccessRate(RateValues values) {
      this.values = values;
    }

    /**
     * The distance, in thousandths of a standard deviation; 1,900 by default.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public SuccessRate withStdevFactor(int value) {
      return with(it -> it.stdevFactor = notNegative("stdevFactor", value));
    }

    /**
     * The probability that such an endpoint is ejected; 100 by default.
     *
     * @throws IllegalArgumentException if it is not 0 to 100
     */
    public SuccessRate withEnforcementPercentage(int percent) {
      return with(it -> it.enforcementPercentage = percentage("enforcementPercentage", percent));
    }

    /**
     * The number of endpoints that must have enough calls; 5 by default.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public SuccessRate withMinimumHosts(int hosts) {
      return with(it -> it.minimumHosts = notNegative("minimumHosts", hosts));
    }

    /**
     * The number of calls that an endpoint must have in an interval; 100 by default.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public SuccessRate withRequestVolume(int calls) {
      return with(it -> it.requestVolume = notNegative("requestVolume", calls));
    }

    private SuccessRate with(Consumer<RateValues> change) {
      RateValues changed = new RateValues(values);
      change.accept(changed);
      return new SuccessRate(changed);
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
      return values.stdevFactor;
    }

    /** {@link #withEnforcementPercentage}, 0 to 100; 100 by default. */
    public int enforcementPercentage() {
      return values.enforcementPercentage;
    }

    /** {@link #withMinimumHosts}; 5 by default. */
    public int minimumHosts() {
      return values.minimumHosts;
    }

    /** {@link #withRequestVolume}, in calls per interval; 100 by default. */
    public int requestVolume() {
      return values.requestVolume;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof SuccessRate that && values.all().equals(that.values.all());
    }

    @Override
    public int hashCode() {
      return values.all().hashCode();
    }

    @Override
    public String toString() {
      return "SuccessRate" + values.all();
    }
  }

  /** Ejects endpoints whose failure percentage is too high. Immutable. */
  public static final class FailurePercentage {
    /** gRPC's defaults. */
    public static final FailurePercentage DEFAULT = new FailurePercentage(new PercentageValues());

    /** The values of one instance; only written during construction. */
    private static final class PercentageValues {
      private int threshold = 85;
      private int enforcementPercentage = 100;
      private int minimumHosts = 5;
      private int requestVolume = 50;

      PercentageValues() {}

      PercentageValues(PercentageValues other) {
        threshold = other.threshold;
        enforcementPercentage = other.enforcementPercentage;
        minimumHosts = other.minimumHosts;
        requestVolume = other.requestVolume;
      }

      List<Integer> all() {
        return List.of(threshold, enforcementPercentage, minimumHosts, requestVolume);
      }
    }

    private final PercentageValues values;

    private FailurePercentage(PercentageValues values) {
      this.values = values;
    }

    /**
     * The maximum percentage of failed calls; 85 by default.
     *
     * @throws IllegalArgumentException if it is not 0 to 100
     */
    public FailurePercentage withThreshold(int value) {
      return with(it -> it.threshold = percentage("threshold", value));
    }

    /**
     * The probability that such an endpoint is ejected; 100 by default.
     *
     * @throws IllegalArgumentException if it is not 0 to 100
     */
    public FailurePercentage withEnforcementPercentage(int percent) {
      return with(it -> it.enforcementPercentage = percentage("enforcementPercentage", percent));
    }

    /**
     * The number of endpoints that must have enough calls; 5 by default.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public FailurePercentage withMinimumHosts(int hosts) {
      return with(it -> it.minimumHosts = notNegative("minimumHosts", hosts));
    }

    /**
     * The number of calls that an endpoint must have in an interval; 50 by default.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public FailurePercentage withRequestVolume(int calls) {
      return with(it -> it.requestVolume = notNegative("requestVolume", calls));
    }

    private FailurePercentage with(Consumer<PercentageValues> change) {
      PercentageValues changed = new PercentageValues(values);
      change.accept(changed);
      return new FailurePercentage(changed);
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
      return values.threshold;
    }

    /** {@link #withEnforcementPercentage}, 0 to 100; 100 by default. */
    public int enforcementPercentage() {
      return values.enforcementPercentage;
    }

    /** {@link #withMinimumHosts}; 5 by default. */
    public int minimumHosts() {
      return values.minimumHosts;
    }

    /** {@link #withRequestVolume}, in calls per interval; 50 by default. */
    public int requestVolume() {
      return values.requestVolume;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof FailurePercentage that && values.all().equals(that.values.all());
    }

    @Override
    public int hashCode() {
      return values.all().hashCode();
    }

    @Override
    public String toString() {
      return "FailurePercentage" + values.all();
    }
  }

  /** The values of one instance; only written during construction. */
  private static final class Values {
    private Duration interval = Duration.ofSeconds(10);
    private Duration baseEjectionTime = Duration.ofSeconds(30);
    private Duration maxEjectionTime = Duration.ofMinutes(5);
    private int maxEjectionPercent = 10;
    private Optional<SuccessRate> successRate = Optional.empty();
    private Optional<FailurePercentage> failurePercentage = Optional.empty();

    Values() {}

    Values(Values other) {
      interval = other.interval;
      baseEjectionTime = other.baseEjectionTime;
      maxEjectionTime = other.maxEjectionTime;
      maxEjectionPercent = other.maxEjectionPercent;
      successRate = other.successRate;
      failurePercentage = other.failurePercentage;
    }

    List<Object> all() {
      return List.of(
          interval,
          baseEjectionTime,
          maxEjectionTime,
          maxEjectionPercent,
          successRate,
          failurePercentage);
    }
  }

  private final Values values;

  private OutlierDetectionSettings(Values values) {
    this.values = values;
  }

  private static int notNegative(String name, int value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " cannot be negative: " + value);
    }
    return value;
  }

  private static int percentage(String name, int value) {
    if (value < 0 || value > 100) {
      throw new IllegalArgumentException(name + " must be 0 to 100: " + value);
    }
    return value;
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
    return with(it -> it.interval = each);
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
    return with(it -> {
      it.baseEjectionTime = base;
      it.maxEjectionTime = longest;
    });
  }

  /**
   * The maximum percentage of ejected endpoints; 10 by default. One endpoint may always be ejected,
   * unless this is 0.
   *
   * @throws IllegalArgumentException if it is not 0 to 100
   */
  public OutlierDetectionSettings withMaxEjectionPercent(int percent) {
    return with(it -> it.maxEjectionPercent = percentage("maxEjectionPercent", percent));
  }

  /** Ejects by success rate. */
  public OutlierDetectionSettings with(SuccessRate successRate) {
    Objects.requireNonNull(successRate, "successRate");
    return with(it -> it.successRate = Optional.of(successRate));
  }

  /** Ejects by failure percentage. */
  public OutlierDetectionSettings with(FailurePercentage failurePercentage) {
    Objects.requireNonNull(failurePercentage, "failurePercentage");
    return with(it -> it.failurePercentage = Optional.of(failurePercentage));
  }

  private OutlierDetectionSettings with(Consumer<Values> change) {
    Values changed = new Values(values);
    change.accept(changed);
    return new OutlierDetectionSettings(changed);
  }

  /** These settings with those of a service config. */
  OutlierDetectionSettings with(ConfigFields config) {
    OutlierDetectionSettings read = this;
    read = config.duration("interval", read, read::withInterval);
    Duration base = config.duration("baseEjectionTime", values.baseEjectionTime, it -> it);
    Duration longest =
        config.duration("maxEjectionTime", longer(base, values.maxEjectionTime), it -> it);
    read = read.withEjectionTimes(base, longest);
    read = config.integer("maxEjectionPercent", read, read::withMaxEjectionPercent);
    read = config.object("successRateEjection", read, read::withSuccessRate);
    return config.object("failurePercentageEjection", read, read::withFailurePercentage);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private OutlierDetectionSettings withSuccessRate(ConfigFields config) {
    return with(values.successRate.orElse(SuccessRate.DEFAULT).with(config));
  }

  private OutlierDetectionSettings withFailurePercentage(ConfigFields config) {
    return with(values.failurePercentage.orElse(FailurePercentage.DEFAULT).with(config));
  }

  /** {@link #withInterval}; 10 s by default. */
  public Duration interval() {
    return values.interval;
  }

  /** The base time of {@link #withEjectionTimes}; 30 s by default. */
  public Duration baseEjectionTime() {
    return values.baseEjectionTime;
  }

  /** The maximum of {@link #withEjectionTimes}; 5 minutes by default. */
  public Duration maxEjectionTime() {
    return values.maxEjectionTime;
  }

  /** {@link #withMaxEjectionPercent}, 0 to 100; 10 by default. */
  public int maxEjectionPercent() {
    return values.maxEjectionPercent;
  }

  /** The criterion of {@link #with(SuccessRate)}; empty, the default, ejects none by it. */
  public Optional<SuccessRate> successRate() {
    return values.successRate;
  }

  /** The criterion of {@link #with(FailurePercentage)}; empty, the default, ejects none by it. */
  public Optional<FailurePercentage> failurePercentage() {
    return values.failurePercentage;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OutlierDetectionSettings that && values.all().equals(that.values.all());
  }

  @Override
  public int hashCode() {
    return values.all().hashCode();
  }

  @Override
  public String toString() {
    return "OutlierDetectionSettings[interval="
        + values.interval
        + ", baseEjectionTime="
        + values.baseEjectionTime
        + ", maxEjectionTime="
        + values.maxEjectionTime
        + ", maxEjectionPercent="
        + values.maxEjectionPercent
        + values.successRate.map(it -> ", " + it).orElse("")
        + values.failurePercentage.map(it -> ", " + it).orElse("")
        + "]";
  }
}
