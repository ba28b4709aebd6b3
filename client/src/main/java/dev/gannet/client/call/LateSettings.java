package dev.gannet.client.call;

import dev.gannet.api.Deadline;
import dev.gannet.client.retry.ActiveConfig;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.MethodSettings;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.Scheduler;
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
  /**
   * What follows from the settings: the start with their limits, and the policy if there is one.
   */
  private record Bound<Q, R>(CallStart<Q, R> start, @Nullable AttemptPolicy policy) {}

  private final RetryingCall<Q, R> call;

  /** Set before it is bound. */
  private long startedNanos;

  /** Null while UNKNOWN. */
  private volatile @Nullable Bound<Q, R> bound;

  /** Watches the deadline that the settings add. */
  private volatile @Nullable DeadlineTimer timer;

  /** The settings of a call that is being made now. */
  LateSettings(RetryingCall<Q, R> call) {
    this.call = call;
  }

  /** The timeout of the settings counts from here. */
  @Override
  public boolean onCallBegun() {
    startedNanos = call.scheduler().nanoTime();
    return bind();
  }

  @Override
  public boolean isBound() {
    return bound != null;
  }

  /** Becomes BOUND if there is a config, unless it was BOUND before. With the lock. */
  @Override
  public boolean bind() {
    Optional<ActiveConfig> config = call.channel().config();
    if (bound != null || config.isEmpty()) {
      return false;
    }
    MethodSettings found = config.get().of(call.method());
    Scheduler scheduler = call.scheduler();
    long sinceStartNanos = scheduler.nanoTime() - startedNanos;
    bound =
        new Bound<>(
            CallStarts.withConfig(found.config(), call.asStarted(), scheduler, sinceStartNanos),
            found.attempts().orElse(null));
    return true;
  }

  /** Without the limits of the settings while they are UNKNOWN. */
  @Override
  public CallStart<Q, R> start() {
    Bound<Q, R> by = bound;
    return by == null ? call.asStarted() : by.start;
  }

  @Override
  public @Nullable AttemptPolicy policy() {
    Bound<Q, R> by = bound;
    return by == null ? null : by.policy;
  }

  /** After {@link #bind}. */
  @Override
  public void watchDeadline() {
    Optional<Deadline> deadline = start().deadline();
    if (deadline.isPresent()) {
      DeadlineTimer started = new DeadlineTimer(call.scheduler(), deadline.get(), call::onDeadline);
      timer = started;
      if (call.hasEnded()) { // the ending thread may not have found the timer
        started.stop();
      }
      started.startOrPass();
    }
  }

  @Override
  public void stopDeadline() {
    DeadlineTimer started = timer;
    if (started != null) {
      started.stop();
    }
  }
}
