package dev.gannet.client.retry;

import dev.gannet.client.config.MethodConfig;
import java.util.Optional;

/**
 * What the service config says about a method, for all its calls.
 *
 * @param attempts the policy for further attempts; empty if its calls have one attempt
 * @param throttle of the channel, because calls of all methods count
 */
public record MethodSettings(
    MethodConfig config, Optional<AttemptPolicy> attempts, RetryThrottle throttle) {}
