package dev.gannet.client.config;

/**
 * When a call has further attempts after its first (gRFC A6). A {@link MethodConfig} has one of
 * them at most. Immutable. Cases may be added: a {@code switch} over them needs a {@code default}.
 */
public sealed interface FurtherAttempts permits RetryPolicy, HedgingPolicy {
  /**
   * The maximum number of attempts of a call, including the first one; the channel's limit may be
   * lower.
   */
  int maxAttempts();
}
