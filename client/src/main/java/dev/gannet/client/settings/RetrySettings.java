package dev.gannet.client.settings;

/**
 * A channel's limits for retries and hedging.
 *
 * @param maxAttempts the maximum number of attempts of a call, including the first one
 * @param maxHedgedAttempts the maximum number of attempts of a hedged call, including the first one
 * @param callBytes the maximum size of the request that a call keeps for further attempts
 * @param channelBytes the maximum size that all calls of the channel keep together
 */
public record RetrySettings(
    Mode mode, int maxAttempts, int maxHedgedAttempts, long callBytes, long channelBytes) {
  /** Whether they are enabled. */
  public enum Mode {
    ENABLED,
    DISABLED
  }

  private static final int MAX_ATTEMPTS = 100;

  /** The defaults of grpc-java. */
  public static final RetrySettings DEFAULT =
      new RetrySettings(Mode.ENABLED, 5, 5, 1 << 20, 16 << 20);

  public RetrySettings with(Mode mode) {
    return new RetrySettings(mode, maxAttempts, maxHedgedAttempts, callBytes, channelBytes);
  }

  public RetrySettings withMaxAttempts(int attempts) {
    return new RetrySettings(
        mode, checked("maxRetryAttempts", attempts), maxHedgedAttempts, callBytes, channelBytes);
  }

  public RetrySettings withMaxHedgedAttempts(int attempts) {
    return new RetrySettings(
        mode, maxAttempts, checked("maxHedgedAttempts", attempts), callBytes, channelBytes);
  }

  public RetrySettings withCallBytes(long bytes) {
    return new RetrySettings(
        mode,
        maxAttempts,
        maxHedgedAttempts,
        checked("retryBufferBytesPerCall", bytes),
        channelBytes);
  }

  public RetrySettings withChannelBytes(long bytes) {
    return new RetrySettings(
        mode, maxAttempts, maxHedgedAttempts, callBytes, checked("retryBufferBytes", bytes));
  }

  private static int checked(String option, int attempts) {
    if (attempts < 2 || attempts > MAX_ATTEMPTS) {
      throw new IllegalArgumentException(
          option + " must be 2 to " + MAX_ATTEMPTS + ": " + attempts);
    }
    return attempts;
  }

  private static long checked(String option, long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(option + " cannot be negative: " + bytes);
    }
    return bytes;
  }
}
