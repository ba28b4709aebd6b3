package dev.gannet.client.config;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Stops retries and hedging of a channel when too many calls fail (gRFC A6, {@code
 * retryThrottling}). The channel has a number of tokens; a failed attempt takes one, a successful
 * call returns {@link #tokenRatio} of one. While half of them or fewer are left, no attempt follows
 * a failed one. Immutable.
 */
public final class RetryThrottling {
  private static final int MAX_TOKENS = 1000;
  private static final int THOUSANDTHS = 1000;

  private final int maxTokens;
  private final int ratioThousandths;

  private RetryThrottling(int maxTokens, int ratioThousandths) {
    this.maxTokens = maxTokens;
    this.ratioThousandths = ratioThousandths;
  }

  /**
   * Throttling with these numbers.
   *
   * @param maxTokens the initial and maximum number of tokens, 1 to 1000
   * @param tokenRatio the part of a token that a success returns, at least 0.001; digits after the
   *     third are cut off
   * @throws IllegalArgumentException if one of them is outside its range
   */
  public static RetryThrottling of(int maxTokens, double tokenRatio) {
    if (maxTokens < 1 || maxTokens > MAX_TOKENS) {
      throw new IllegalArgumentException("maxTokens must be 1 to 1000: " + maxTokens);
    }
    double thousandths = Math.floor(tokenRatio * THOUSANDTHS + 1e-6); // 0.001 * 1000 may be less
    if (!(thousandths >= 1)) {
      throw new IllegalArgumentException("tokenRatio must be at least 0.001: " + tokenRatio);
    }
    return new RetryThrottling(maxTokens, (int) Math.min(thousandths, Integer.MAX_VALUE));
  }

  /** The initial and maximum number of tokens. */
  public int maxTokens() {
    return maxTokens;
  }

  /** The part of a token that a success returns. */
  public double tokenRatio() {
    return (double) ratioThousandths / THOUSANDTHS;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RetryThrottling that
        && maxTokens == that.maxTokens
        && ratioThousandths == that.ratioThousandths;
  }

  @Override
  public int hashCode() {
    return Objects.hash(maxTokens, ratioThousandths);
  }

  @Override
  public String toString() {
    return "RetryThrottling[maxTokens=" + maxTokens + ", tokenRatio=" + tokenRatio() + "]";
  }
}
