package dev.gannet.client.balancer;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A server's report about its load (gRFC A51). Missing values are 0. Immutable. */
public final class LoadReport {
  /** The values. */
  private record Values(
      double applicationUtilization,
      double cpuUtilization,
      double queriesPerSecond,
      double errorsPerSecond,
      double memoryUtilization,
      Map<String, Double> requestCost,
      Map<String, Double> utilization,
      Map<String, Double> namedMetrics) {
    Values {
      requestCost = Map.copyOf(requestCost);
      utilization = Map.copyOf(utilization);
      namedMetrics = Map.copyOf(namedMetrics);
    }
  }

  private final Values values;

  private LoadReport(Values values) {
    this.values = values;
  }

  /** A builder whose values are all 0. */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds a report. Not safe for concurrent use. */
  public static final class Builder {
    private double applicationUtilization;
    private double cpuUtilization;
    private double queriesPerSecond;
    private double errorsPerSecond;
    private double memoryUtilization;
    private Map<String, Double> requestCost = Map.of();
    private Map<String, Double> utilization = Map.of();
    private Map<String, Double> namedMetrics = Map.of();

    private Builder() {}

    /** Sets {@link LoadReport#applicationUtilization}. */
    public Builder applicationUtilization(double value) {
      applicationUtilization = value;
      return this;
    }

    /** Sets {@link LoadReport#cpuUtilization}. */
    public Builder cpuUtilization(double value) {
      cpuUtilization = value;
      return this;
    }

    /** Sets {@link LoadReport#queriesPerSecond}. */
    public Builder queriesPerSecond(double value) {
      queriesPerSecond = value;
      return this;
    }

    /** Sets {@link LoadReport#errorsPerSecond}. */
    public Builder errorsPerSecond(double value) {
      errorsPerSecond = value;
      return this;
    }

    /** Sets {@link LoadReport#memoryUtilization}. */
    public Builder memoryUtilization(double value) {
      memoryUtilization = value;
      return this;
    }

    /** Sets {@link LoadReport#requestCost}. */
    public Builder requestCost(Map<String, Double> value) {
      requestCost = Objects.requireNonNull(value, "requestCost");
      return this;
    }

    /** Sets {@link LoadReport#utilization}. */
    public Builder utilization(Map<String, Double> value) {
      utilization = Objects.requireNonNull(value, "utilization");
      return this;
    }

    /** Sets {@link LoadReport#namedMetrics}. */
    public Builder namedMetrics(Map<String, Double> value) {
      namedMetrics = Objects.requireNonNull(value, "namedMetrics");
      return this;
    }

    /** The report; all maps are copied. */
    public LoadReport build() {
      return new LoadReport(
          new Values(
              applicationUtilization,
              cpuUtilization,
              queriesPerSecond,
              errorsPerSecond,
              memoryUtilization,
              requestCost,
              utilization,
              namedMetrics));
    }
  }

  /** The application's own measure of its utilization; 1 is full, more is possible. */
  public double applicationUtilization() {
    return values.applicationUtilization;
  }

  /** The utilization of its processors; 1 is full, more is possible. */
  public double cpuUtilization() {
    return values.cpuUtilization;
  }

  /** Completed calls per second. */
  public double queriesPerSecond() {
    return values.queriesPerSecond;
  }

  /** Failed calls per second. */
  public double errorsPerSecond() {
    return values.errorsPerSecond;
  }

  /** The used part of its memory, 0 to 1. */
  public double memoryUtilization() {
    return values.memoryUtilization;
  }

  /** The cost of the call, by names of the application. */
  public Map<String, Double> requestCost() {
    return values.requestCost;
  }

  /** The utilization of resources that the application names, 0 to 1. */
  public Map<String, Double> utilization() {
    return values.utilization;
  }

  /** Other metrics of the application. */
  public Map<String, Double> namedMetrics() {
    return values.namedMetrics;
  }

  /** The utilization: that of the application, or else that of the processors. */
  double inUse() {
    return applicationUtilization() > 0 ? applicationUtilization() : cpuUtilization();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LoadReport that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return "LoadReport" + values.toString().substring("Values".length());
  }
}
