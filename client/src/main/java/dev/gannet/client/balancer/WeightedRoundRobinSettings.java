package dev.gannet.client.balancer;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The settings of {@code weighted_round_robin} (gRFC A58). Immutable. */
public final class WeightedRoundRobinSettings {
  private static final Duration MIN_UPDATE = Duration.ofMillis(100);

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
    if (value.isNegative()) {
      throw new IllegalArgumentException(name + " cannot be negative: " + value);
    }
    return value;
  }

  /**
   * How long an endpoint must have reported before its weight counts; 10 s by default.
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
   * How old a report may be; 3 minutes by default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public WeightedRoundRobinSettings withWeightExpirationPeriod(Duration period) {
    return new WeightedRoundRobinSettings(
        blackoutPeriod, period, weightUpdatePeriod, errorUtilizationPenalty, oobReportingPeriod);
  }

  /**
   * How often weights take effect; 1 s by default, and 100 ms at least.
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
   * What the share of failed calls adds to a server's utilization; 1 by default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public WeightedRoundRobinSettings withErrorUtilizationPenalty(double penalty) {
    return new WeightedRoundRobinSettings(
        blackoutPeriod, weightExpirationPeriod, weightUpdatePeriod, penalty, oobReportingPeriod);
  }

  /**
   * Has servers report apart from calls, about so often, and ignores what comes with calls ({@code
   * enableOobLoadReport}). Off by default; gRPC's default for the period is 10 s.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public WeightedRoundRobinSettings withOobReportingPeriod(Duration period) {
    return new WeightedRoundRobinSettings(
        blackoutPeriod,
        weightExpirationPeriod,
        weightUpdatePeriod,
        errorUtilizationPenalty,
        Optional.of(period));
  }

  public Duration blackoutPeriod() {
    return blackoutPeriod;
  }

  public Duration weightExpirationPeriod() {
    return weightExpirationPeriod;
  }

  public Duration weightUpdatePeriod() {
    return weightUpdatePeriod;
  }

  public double errorUtilizationPenalty() {
    return errorUtilizationPenalty;
  }

  /** How often servers report apart from calls; empty if they report with each call. */
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
}
