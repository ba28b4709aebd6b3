package dev.gannet.client.call;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.client.config.ConfigSelection;
import dev.gannet.client.config.ConfigSelector;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.retry.ActiveConfig;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.MethodSettings;
import dev.gannet.client.retry.RetryThrottle;
import dev.gannet.transport.CallStart;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Which settings apply to a call that was made before its channel had a service config: those of
 * the first config that the call sees after it has begun. Or to a call that was made when there was
 * a {@link ConfigSelector}, which decides by the call's headers: they are known when it begins.
 *
 * <pre>
 *   UNKNOWN ──bind, and there is a config──► FINDING ──► BOUND (does not change any more)
 *                                               └──refused, or a failure: the call has ended
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

  /** The settings, the start with their limits, and the options for pickers. */
  private record Bound<Q, R>(MethodSettings settings, CallStart<Q, R> start, CallOptions options)
      implements State<Q, R> {}

  private final RetryingCall<Q, R> call;

  /** The config of the time when the call was made; null if there was none. */
  private final @Nullable ActiveConfig known;

  private volatile @Nullable State<Q, R> state;

  /**
   * The settings of a call that is being made now.
   *
   * @param known the channel's config, which has a selector; null if there is no config
   */
  LateSettings(RetryingCall<Q, R> call, @Nullable ActiveConfig known) {
    this.call = call;
    this.known = known;
  }

  private @Nullable Bound<Q, R> bound() {
    return state instanceof Bound<Q, R> bound ? bound : null;
  }

  @Override
  public Binding bind() {
    if (bound() != null) {
      return Binding.KNOWN;
    }
    ActiveConfig config = known != null ? known : call.channel().config().orElse(null);
    if (config == null) {
      return Binding.NO_CONFIG;
    }
    if (!STATE.compareAndSet(this, null, Finding.INSTANCE)) {
      return Binding.BY_ANOTHER;
    }
    try {
      return find(config);
    } catch (Throwable e) { // nobody else would bind the call
      call.cancelWith(
          Status.INTERNAL
              .withDescription("the settings of the call could not be found")
              .withCause(e));
      return Binding.REFUSED;
    }
  }

  private Binding find(ActiveConfig config) {
    Optional<ConfigSelector> selector = config.selector();
    if (selector.isEmpty()) {
      bindTo(config.of(call.method()), call.options());
      return Binding.DONE;
    }
    ConfigSelection chosen = AskedSelector.ask(selector.get(), call);
    if (chosen instanceof ConfigSelection.Use use) {
      bindTo(config.withChosen(use.config(), call.method()), use.addTo(call.options()));
      return Binding.DONE;
    }
    call.cancelWith(((ConfigSelection.Fail) chosen).why());
    return Binding.REFUSED;
  }

  private void bindTo(MethodSettings found, CallOptions options) {
    CallStart<Q, R> start =
        CallStarts.withConfig(
            found.config(), call.asStarted(), call.channel().settings(), options, call.ageNanos());
    start.deadline().ifPresent(call::limitBy); // first: who sees the settings sees the deadline
    state = new Bound<>(found, start, options);
  }

  @Override
  public CallOptions options() {
    Bound<Q, R> bound = bound();
    return bound == null ? call.options() : bound.options;
  }

  /** Without the limits of the settings while they are UNKNOWN. */
  @Override
  public CallStart<Q, R> callStart() {
    Bound<Q, R> bound = bound();
    return bound == null ? call.asStarted() : bound.start;
  }

  @Override
  public @Nullable MethodConfig config() {
    Bound<Q, R> bound = bound();
    return bound == null ? null : bound.settings.config();
  }

  @Override
  public @Nullable AttemptPolicy policy() {
    Bound<Q, R> bound = bound();
    return bound == null ? null : bound.settings.attempts().orElse(null);
  }

  @Override
  public RetryThrottle throttle() {
    Bound<Q, R> bound = bound();
    return bound == null ? RetryThrottle.NONE : bound.settings.throttle();
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicReferenceFieldUpdater<LateSettings<?, ?>, @Nullable State<?, ?>> updater() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(LateSettings.class, State.class, "state");
  }
}
