package dev.gannet.client.balancer;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The settings of {@code weighted_round_robin} (gRFC A58). Immutable. */
public final class WeightedRoundRobinSettings {
  private static final Duration MIN_UPDATE = Duration.ofMillis(100);
  private static final Duration OOB_PERIOD = Duration.ofSeconds(10);

  /** gRPC's defaults. */
  public static final WeightedRoundRobinSettings DEFAULT =
      new WeightedRoundRobinSettings(
          Duration.ofSeconds(10),
          Duration.ofMinutes(3),
          Duration.ofSeconds(1),
          1,
          Optional.empty());

  private final Duration blackoutPeriod;
  private final Duration weightExpirationPeriod;
  private final Duration weightUpdatePeriod;
  private final double errorUtilizationPenalty;
  private final Optional<Duration> oobReportingPeriod;

  private WeightedRoundRobinSettings(
      Duration blackoutPeriod,
      Duration weightExpirationPeriod,
      Duration weightUpdatePeriod,
      double errorUtilizationPenalty,
      Optional<Duration> oobReportingPeriod) {
    this.blackoutPeriod = notNegative("blackoutPeriod", blackoutPeriod);
    this.weightExpirationPeriod = notNegative("weightExpirationPeriod", weightExpirationPeriod);
    notNegative("weightUpdatePeriod", weightUpdatePeriod);
    this.weightUpdatePeriod =
        weightUpdatePeriod.compareTo(MIN_UPDATE) < 0 ? MIN_UPDATE : weightUpdatePeriod;
    if (!(errorUtilizationPenalty >= 0)) {
      throw new IllegalArgumentException(
          "errorUtilizationPenalty cannot be negative: " + errorUtilizationPenalty);
    }
    this.errorUtilizationPenalty = errorUtilizationPenalty;
    this.oobReportingPeriod = oobReportingPeriod.map(it -> notNegative("oobReportingPeriod", it));
  }

  private static Duration notNegative(String name, Duration value) {
    if (Objects.requireNonNull(value, name).isNegative()) {
      throw new IllegalArgumentException(name + " cannot be negative: " + value);
    }
    return value;
  }

  /**
   * How long an endpoint must have sent reports before its weight is used; 10 s by default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public WeightedRoundRobinSettings withBlackoutPeriod(Duration period) {
    return new WeightedRoundRobinSettings(
        period,
        weightExpirationPeriod,
        weightUpdatePeriod,
        errorUtilizationPenalty,
        oobReportingPeriod);
  }

  /**
   * The maximum age of a report; 3 minutes by default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public WeightedRoundRobinSettings withWeightExpirationPeriod(Duration period) {
    return new WeightedRoundRobinSettings(
        blackoutPeriod, period, weightUpdatePeriod, errorUtilizationPenalty, oobReportingPeriod);
  }

  /**
   * The interval between updates of the weights; 1 s by default, at least 100 ms.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public WeightedRoundRobinSettings withWeightUpdatePeriod(Duration period) {
    return new WeightedRoundRobinSettings(
        blackoutPeriod,
        weightExpirationPeriod,
        period,
        errorUtilizationPenalty,
        oobReportingPeriod);
  }

  /**
   * The factor with which the error rate is added to a server's utilization; 1 by default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public WeightedRoundRobinSettings withErrorUtilizationPenalty(double penalty) {
    return new WeightedRoundRobinSettings(
        blackoutPeriod, weightExpirationPeriod, weightUpdatePeriod, penalty, oobReportingPeriod);
  }

  /**
   * Requests reports out of band with this interval, and ignores reports in responses ({@code
   * enableOobLoadReport}). Off by default; gRPC's default interval is 10 s.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public WeightedRoundRobinSettings withOobReportingPeriod(Duration period) {
    return new WeightedRoundRobinSettings(
        blackoutPeriod,
        weightExpirationPeriod,
        weightUpdatePeriod,
        errorUtilizationPenalty,
        Optional.of(Objects.requireNonNull(period, "oobReportingPeriod")));
  }

  /**
   * These settings with those of a service config; fields that it does not have change nothing. An
   * {@code oobReportingPeriod} has no effect without reports out of band.
   */
  WeightedRoundRobinSettings with(ConfigFields config) {
    WeightedRoundRobinSettings read = this;
    read = config.duration("blackoutPeriod", read, read::withBlackoutPeriod);
    read = config.duration("weightExpirationPeriod", read, read::withWeightExpirationPeriod);
    read = config.duration("weightUpdatePeriod", read, read::withWeightUpdatePeriod);
    read = config.decimal("errorUtilizationPenalty", read, read::withErrorUtilizationPenalty);
    WeightedRoundRobinSettings oob =
        read.withOobReportingPeriod(read.oobReportingPeriod().orElse(OOB_PERIOD));
    oob = config.duration("oobReportingPeriod", oob, oob::withOobReportingPeriod);
    boolean enabled =
        config.config().bool("enableOobLoadReport").orElse(oobReportingPeriod.isPresent());
    return enabled ? oob : read.withoutOobReports();
  }

  private WeightedRoundRobinSettings withoutOobReports() {
    return new WeightedRoundRobinSettings(
        blackoutPeriod,
        weightExpirationPeriod,
        weightUpdatePeriod,
        errorUtilizationPenalty,
        Optional.empty());
  }

  /** {@link #withBlackoutPeriod}; 10 s by default. */
  public Duration blackoutPeriod() {
    return blackoutPeriod;
  }

  /** {@link #withWeightExpirationPeriod}; 3 minutes by default. */
  public Duration weightExpirationPeriod() {
    return weightExpirationPeriod;
  }

  /** {@link #withWeightUpdatePeriod}, at least 100 ms; 1 s by default. */
  public Duration weightUpdatePeriod() {
    return weightUpdatePeriod;
  }

  /** {@link #withErrorUtilizationPenalty}, a factor of at least 0; 1 by default. */
  public double errorUtilizationPenalty() {
    return errorUtilizationPenalty;
  }

  /** The interval of reports out of band; empty if servers report in responses. */
  public Optional<Duration> oobReportingPeriod() {
    return oobReportingPeriod;
  }

  private List<Object> values() {
    return List.of(
        blackoutPeriod,
        weightExpirationPeriod,
        weightUpdatePeriod,
        errorUtilizationPenalty,
        oobReportingPeriod);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof WeightedRoundRobinSettings that && values().equals(that.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  @Override
  public String toString() {
    return "WeightedRoundRobinSettings[blackoutPeriod="
        + blackoutPeriod
        + ", weightExpirationPeriod="
        + weightExpirationPeriod
        + ", weightUpdatePeriod="
        + weightUpdatePeriod
        + ", errorUtilizationPenalty="
        + errorUtilizationPenalty
        + ", oobReportingPeriod="
        + oobReportingPeriod.map(Duration::toString).orElse("unset")
        + "]";
  }
}
