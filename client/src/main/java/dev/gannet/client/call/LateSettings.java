package dev.gannet.client.call;

import dev.gannet.api.Deadline;
import dev.gannet.client.config.MethodConfig;
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
   * The settings, and what follows from them: the start with their limits, and what watches the
   * deadline if there is one.
   */
  private record Bound<Q, R>(
      MethodSettings settings, CallStart<Q, R> start, @Nullable DeadlineTimer timer) {}

  private final RetryingCall<Q, R> call;

  /** Set before it is bound. */
  private long startedNanos;

  /** Null while UNKNOWN. */
  private volatile @Nullable Bound<Q, R> bound;

  /** Whether the call needs no deadline any more. */
  private volatile boolean stopped;

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
    CallStart<Q, R> start =
        CallStarts.withConfig(found.config(), call.asStarted(), scheduler, sinceStartNanos);
    bound = new Bound<>(found, start, timer(start.deadline(), scheduler));
    return true;
  }

  private @Nullable DeadlineTimer timer(Optional<Deadline> deadline, Scheduler scheduler) {
    return deadline.map(it -> new DeadlineTimer(scheduler, it, call::onDeadline)).orElse(null);
  }

  /** Without the limits of the settings while they are UNKNOWN. */
  @Override
  public CallStart<Q, R> start() {
    Bound<Q, R> by = bound;
    return by == null ? call.asStarted() : by.start;
  }

  @Override
  public MethodConfig config() {
    Bound<Q, R> by = bound;
    return by == null ? MethodConfig.EMPTY : by.settings.config();
  }

  @Override
  public @Nullable AttemptPolicy policy() {
    Bound<Q, R> by = bound;
    return by == null ? null : by.settings.attempts().orElse(null);
  }

  @Override
  public void watchDeadline() {
    Bound<Q, R> by = bound;
    if (by != null && by.timer != null && !stopped) { // the ending thread may have found none
      by.timer.startOrPass();
    }
  }

  @Override
  public void stopDeadline() {
    stopped = true;
    Bound<Q, R> by = bound;
    if (by != null && by.timer != null) {
      by.timer.stop();
    }
  }
}
