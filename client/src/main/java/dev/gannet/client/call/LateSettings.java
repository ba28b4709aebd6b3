package dev.gannet.client.call;

import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.retry.ActiveConfig;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.MethodSettings;
import dev.gannet.transport.CallStart;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Which settings of its method apply to a call that was made before its channel had a service
 * config: those of the first config that the call sees after it has begun.
 *
 * <pre>
 *   UNKNOWN ──bind, and there is a config──► FINDING ──► BOUND (does not change any more)
 * </pre>
 *
 * <p>One thread binds the call; others that need its settings leave the call to that thread.
 */
final class LateSettings<Q, R> implements CallSettings<Q, R> {
  private static final AtomicReferenceFieldUpdater<LateSettings<?, ?>, @Nullable State<?, ?>>
      STATE = updater();

  /** How far they are known; null while UNKNOWN. */
  private sealed interface State<Q, R> {}

  /** A thread is about to find the settings. */
  private record Finding<Q, R>() implements State<Q, R> {
    private static final Finding<?, ?> INSTANCE = new Finding<>();
  }

  /** The settings, and the start with their limits. */
  private record Bound<Q, R>(MethodSettings settings, CallStart<Q, R> start)
      implements State<Q, R> {}

  private final RetryingCall<Q, R> call;
  private volatile @Nullable State<Q, R> state;

  /** The settings of a call that is being made now. */
  LateSettings(RetryingCall<Q, R> call) {
    this.call = call;
  }

  private @Nullable Bound<Q, R> bound() {
    return state instanceof Bound<Q, R> bound ? bound : null;
  }

  @Override
  public Binding bind() {
    if (bound() != null) {
      return Binding.KNOWN;
    }
    Optional<ActiveConfig> config = call.channel().config();
    if (config.isEmpty()) {
      return Binding.NO_CONFIG;
    }
    if (!STATE.compareAndSet(this, null, Finding.INSTANCE)) {
      return Binding.BY_ANOTHER;
    }
    bindTo(config.get().of(call.method()));
    return Binding.DONE;
  }

  private void bindTo(MethodSettings found) {
    CallStart<Q, R> start =
        CallStarts.withConfig(
            found.config(), call.asStarted(), call.scheduler(), call.sinceStartNanos());
    start.deadline().ifPresent(call::limitBy); // first: who sees the settings sees the deadline
    state = new Bound<>(found, start);
  }

  /** Without the limits of the settings while they are UNKNOWN. */
  @Override
  public CallStart<Q, R> start() {
    Bound<Q, R> by = bound();
    return by == null ? call.asStarted() : by.start;
  }

  @Override
  public @Nullable MethodConfig config() {
    Bound<Q, R> by = bound();
    return by == null ? null : by.settings.config();
  }

  @Override
  public @Nullable AttemptPolicy policy() {
    Bound<Q, R> by = bound();
    return by == null ? null : by.settings.attempts().orElse(null);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicReferenceFieldUpdater<LateSettings<?, ?>, @Nullable State<?, ?>> updater() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(LateSettings.class, State.class, "state");
  }
}
