package dev.gannet.client.config;

import dev.gannet.api.Status;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts further attempts of a call although the first has not failed (gRFC A6, {@code
 * hedgingPolicy}); the first response is used, and the other attempts are cancelled. Only for
 * methods that may be executed several times. Immutable.
 */
public final class HedgingPolicy implements FurtherAttempts {
  /** The values of one instance; only written during construction. */
  private static final class Values {
    private int maxAttempts; // every factory sets it
    private Duration hedgingDelay = Duration.ZERO;
    private Optional<LearntDelay> learntHedgingDelay = Optional.empty();
    private Set<Status.Code> nonFatalStatusCodes = Set.of();

    Values() {}

    Values(Values other) {
      maxAttempts = other.maxAttempts;
      hedgingDelay = other.hedgingDelay;
      learntHedgingDelay = other.learntHedgingDelay;
      nonFatalStatusCodes = other.nonFatalStatusCodes;
    }

    List<Object> all() {
      return List.of(maxAttempts, hedgingDelay, learntHedgingDelay, nonFatalStatusCodes);
    }
  }

  private final Values values;

  private HedgingPolicy(Values values) {
    this.values = values;
  }

  /**
   * All attempts start at once, and every failure ends the call.
   *
   * @param maxAttempts the maximum number of attempts of a call, including the first one; at most
   *     the channel's {@code maxHedgedAttempts}, which is 5 by default
   * @throws IllegalArgumentException if it is less than 2
   */
  public static HedgingPolicy of(int maxAttempts) {
    return new HedgingPolicy(new Values()).withMaxAttempts(maxAttempts);
  }

  /**
   * Sets the maximum number of attempts of a call, including the first one.
   *
   * @throws IllegalArgumentException if it is less than 2
   */
  public HedgingPolicy withMaxAttempts(int attempts) {
    return with(it -> it.maxAttempts = Check.attempts(attempts));
  }

  /**
   * Sets the time between the starts of two attempts; zero for none.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public HedgingPolicy withHedgingDelay(Duration delay) {
    return with(it -> it.hedgingDelay = Check.notNegative("hedgingDelay", delay));
  }

  /**
   * The same with a delay that the channel learns for each method: {@link #hedgingDelay} is the one
   * to start with, until enough calls are measured, so it should not be zero. gRPC's JSON has no
   * field for it.
   */
  public HedgingPolicy withLearntHedgingDelay(LearntDelay learnt) {
    Objects.requireNonNull(learnt, "learnt");
    return with(it -> it.learntHedgingDelay = Optional.of(learnt));
  }

  /**
   * Sets the failures that do not end the call: the next attempt starts at once.
   *
   * @throws IllegalArgumentException if OK is among them
   */
  public HedgingPolicy withNonFatalStatusCodes(Collection<Status.Code> codes) {
    return with(it -> it.nonFatalStatusCodes = Check.failures("nonFatalStatusCodes", codes));
  }

  private HedgingPolicy with(Consumer<Values> change) {
    Values changed = new Values(values);
    change.accept(changed);
    return new HedgingPolicy(changed);
  }

  @Override
  public int maxAttempts() {
    return values.maxAttempts;
  }

  /** The time between the starts of two attempts. */
  public Duration hedgingDelay() {
    return values.hedgingDelay;
  }

  /** How the delay is learnt; empty if it is fixed. */
  public Optional<LearntDelay> learntHedgingDelay() {
    return values.learntHedgingDelay;
  }

  /** Failures that do not end the call. */
  public Set<Status.Code> nonFatalStatusCodes() {
    return values.nonFatalStatusCodes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HedgingPolicy that && values.all().equals(that.values.all());
  }

  @Override
  public int hashCode() {
    return values.all().hashCode();
  }

  @Override
  public String toString() {
    return "HedgingPolicy[maxAttempts="
        + maxAttempts()
        + ", hedgingDelay="
        + hedgingDelay()
        + learntHedgingDelay().map(it -> ", learntHedgingDelay=" + it).orElse("")
        + ", nonFatalStatusCodes="
        + nonFatalStatusCodes()
        + "]";
  }
}
