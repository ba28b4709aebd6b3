package dev.gannet.client.config;

import dev.gannet.api.Status;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Starts further attempts of a call although the first has not failed (gRFC A6, {@code
 * hedgingPolicy}); the first response is used, and the other attempts are cancelled. Only for
 * methods that may be executed several times. Immutable.
 */
public final class HedgingPolicy implements FurtherAttempts {
  private final int maxAttempts;
  private final Duration hedgingDelay;
  private final Optional<LearntDelay> learntHedgingDelay;
  private final Set<Status.Code> nonFatalStatusCodes;

  private HedgingPolicy(
      int maxAttempts,
      Duration hedgingDelay,
      Optional<LearntDelay> learntHedgingDelay,
      Set<Status.Code> nonFatalStatusCodes) {
    this.maxAttempts = maxAttempts;
    this.hedgingDelay = hedgingDelay;
    this.learntHedgingDelay = learntHedgingDelay;
    this.nonFatalStatusCodes = nonFatalStatusCodes;
  }

  /**
   * All attempts start at once, and every failure ends the call.
   *
   * @param maxAttempts the maximum number of attempts of a call, including the first one; at most
   *     the channel's {@code maxHedgedAttempts}, which is 5 by default
   * @throws IllegalArgumentException if it is less than 2
   */
  public static HedgingPolicy of(int maxAttempts) {
    return new HedgingPolicy(
        Check.attempts(maxAttempts), Duration.ZERO, Optional.empty(), Set.of());
  }

  /**
   * Sets the maximum number of attempts of a call, including the first one.
   *
   * @throws IllegalArgumentException if it is less than 2
   */
  public HedgingPolicy withMaxAttempts(int attempts) {
    return new HedgingPolicy(
        Check.attempts(attempts), hedgingDelay, learntHedgingDelay, nonFatalStatusCodes);
  }

  /**
   * Sets the time between the starts of two attempts; zero for none.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public HedgingPolicy withHedgingDelay(Duration delay) {
    return new HedgingPolicy(
        maxAttempts,
        Check.notNegative("hedgingDelay", delay),
        learntHedgingDelay,
        nonFatalStatusCodes);
  }

  /**
   * The same with a delay that the channel learns for each method: {@link #hedgingDelay} is the one
   * to start with, until enough calls are measured, so it should not be zero. gRPC's JSON has no
   * field for it.
   */
  public HedgingPolicy withLearntHedgingDelay(LearntDelay learnt) {
    return new HedgingPolicy(
        maxAttempts,
        hedgingDelay,
        Optional.of(Objects.requireNonNull(learnt, "learnt")),
        nonFatalStatusCodes);
  }

  /**
   * Sets the failures that do not end the call: the next attempt starts at once.
   *
   * @throws IllegalArgumentException if OK is among them
   */
  public HedgingPolicy withNonFatalStatusCodes(Collection<Status.Code> codes) {
    return new HedgingPolicy(
        maxAttempts,
        hedgingDelay,
        learntHedgingDelay,
        Check.failures("nonFatalStatusCodes", codes));
  }

  @Override
  public int maxAttempts() {
    return maxAttempts;
  }

  /** The time between the starts of two attempts. */
  public Duration hedgingDelay() {
    return hedgingDelay;
  }

  /** How the delay is learnt; empty if it is fixed. */
  public Optional<LearntDelay> learntHedgingDelay() {
    return learntHedgingDelay;
  }

  /** Failures that do not end the call. */
  public Set<Status.Code> nonFatalStatusCodes() {
    return nonFatalStatusCodes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HedgingPolicy that
        && maxAttempts == that.maxAttempts
        && hedgingDelay.equals(that.hedgingDelay)
        && learntHedgingDelay.equals(that.learntHedgingDelay)
        && nonFatalStatusCodes.equals(that.nonFatalStatusCodes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(maxAttempts, hedgingDelay, learntHedgingDelay, nonFatalStatusCodes);
  }

  @Override
  public String toString() {
    return "HedgingPolicy[maxAttempts="
        + maxAttempts
        + ", hedgingDelay="
        + hedgingDelay
        + learntHedgingDelay.map(it -> ", learntHedgingDelay=" + it).orElse("")
        + ", nonFatalStatusCodes="
        + nonFatalStatusCodes
        + "]";
  }
}
