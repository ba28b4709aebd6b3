package dev.gannet.client.call;

import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.retry.ActiveConfig;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.MethodSettings;
import dev.gannet.transport.CallStart;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which settings of its method apply to a call that was made before its channel had a service
 * config: those of the first config that the call sees after it has begun.
 *
 * <pre>
 *   UNKNOWN ──bind, and there is a config──► BOUND (start and policy do not change any more)
 * </pre>
 *
 * <p>Written under the lock of the call, read without it.
 */
final class LateSettings<Q, R> implements CallSettings<Q, R> {
  /** The settings, and the start with their limits. */
  private record Bound<Q, R>(MethodSettings settings, CallStart<Q, R> start) {}

  private final RetryingCall<Q, R> call;

  /** Null while UNKNOWN. */
  private volatile @Nullable Bound<Q, R> bound;

  /** The settings of a call that is being made now. */
  LateSettings(RetryingCall<Q, R> call) {
    this.call = call;
  }

  @Override
  public boolean isBound() {
    return bound != null;
  }

  /** Becomes BOUND if there is a config, unless it was BOUND before. */
  @Override
  public boolean bind() {
    Optional<ActiveConfig> config = call.channel().config();
    if (bound != null || config.isEmpty()) {
      return false;
    }
    MethodSettings found = config.get().of(call.method());
    CallStart<Q, R> start =
        CallStarts.withConfig(
            found.config(), call.asStarted(), call.scheduler(), call.sinceStartNanos());
    start.deadline().ifPresent(call::limitBy); // first: who sees the settings sees the deadline
    bound = new Bound<>(found, start);
    return true;
  }

  /** Without the limits of the settings while they are UNKNOWN. */
  @Override
  public CallStart<Q, R> start() {
    Bound<Q, R> by = bound;
    return by == null ? call.asStarted() : by.start;
  }

  @Override
  public @Nullable MethodConfig config() {
    Bound<Q, R> by = bound;
    return by == null ? null : by.settings.config();
  }

  @Override
  public @Nullable AttemptPolicy policy() {
    Bound<Q, R> by = bound;
    return by == null ? null : by.settings.attempts().orElse(null);
  }
}
