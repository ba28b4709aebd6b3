package dev.gannet.client;

import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.api.engine.ThrowableText;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.client.tasks.HeldResources;
import dev.gannet.client.tasks.SerialTasks;
import dev.gannet.client.tasks.SerialTimers;
import dev.gannet.client.tasks.TaskTimer;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A channel's resolver: created on first use, and watched until it answers.
 *
 * <pre>
 *   OFF ──ask──► ASKED ──result, exception, 30 s──► ANSWERED
 *    ▲             ▲                                   │ │
 *    │             └────────────────ask────────────────┘ │
 *    └──────────────────────stop─────────────────────────┘
 * </pre>
 *
 * <p>Everything happens in the channel's {@link SerialTasks}, except for the results that a
 * resolver delivers from any thread.
 */
final class NameResolution {
  private static final long ANSWER_NANOS = Duration.ofSeconds(30).toNanos();

  /** Receives the results; called in a task. */
  interface Owner {
    SerialTasks tasks();

    /** Whether it uses the endpoints of an earlier result. */
    boolean hasEndpoints();

    /**
     * There is at least one endpoint.
     *
     * @return why the result is not used, or only its endpoints
     */
    Optional<Status> onResolved(Resolution.Resolved resolved);

    void onResolutionFailed(Status why);

    /** The resolver has succeeded, and there is no endpoint. */
    void onNoEndpoints(Status why);

    /** An event for the trace. Any thread. */
    void trace(String source, String event);
  }

  private enum State {
    OFF,
    ASKED,
    ANSWERED
  }

  private final ChannelSettings settings;
  private final Owner owner;
  private State state = State.OFF;
  private Optional<Resolving> resolving = Optional.empty();
  private @Nullable TaskTimer answerTimer;

  private final AddressWaits waits = new AddressWaits();

  /** What a resolver has kept for later ones. */
  private final AtomicReference<Attributes> kept = new AtomicReference<>(Attributes.EMPTY);

  NameResolution(ChannelSettings settings, Owner owner) {
    this.settings = settings;
    this.owner = owner;
  }

  /** A resolver, and the listener for its results. */
  private final class Resolving implements NameResolver.Listener {
    private final NameResolver resolver;
    private final ResolverContext context;

    Resolving(NameResolver resolver, ResolverContext context) {
      this.resolver = resolver;
      this.context = context;
    }

    @Override
    public void onResult(Resolution result) {
      owner
          .tasks()
          .run(() -> {
            if (resolving.filter(this::equals).isPresent()) {
              answered(result).ifPresent(why -> reject(result, why));
            }
          });
    }

    private void reject(@Nullable Resolution result, Status why) {
      if (result != null) {
        guard(() -> resolver.onRejected(result, why));
      }
    }
  }

  /** Resolves the target, unless that is already running. */
  void ask() {
    if (state == State.ASKED) {
      return;
    }
    state = State.ASKED;
    if (!owner.hasEndpoints()) {
      waits.begin(settings.scheduler().nanoTime());
    }
    watch();
    if (resolving.isPresent()) {
      guard(resolving.get().resolver::refresh);
    } else {
      guard(this::begin);
    }
  }

  private void guard(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) { // a resolver may be a user's
      onThrown(e);
    }
  }

  private void onThrown(Throwable e) {
    fail("failed: " + ThrowableText.of(e), e);
  }

  /** When answers were awaited without any known endpoints. */
  AddressWaits waits() {
    return waits;
  }

  private void begin() {
    ResolverContext context = new ResolverContext();
    NameResolver made = null;
    try {
      made = settings.naming().resolvers().create(settings.naming().target(), context);
    } finally {
      if (made == null) {
        context.end();
      }
    }
    if (made == null) {
      fail("was not created: its provider returned null", null);
      return;
    }
    Resolving begun = new Resolving(made, context);
    resolving = Optional.of(begun);
    try {
      made.start(begun);
    } catch (Throwable e) { // not answered yet
      forget();
      throw e;
    }
  }

  /** Without a timer the resolver is expected to answer. */
  private void watch() {
    TaskTimer timer = new TaskTimer(this::onNoAnswer);
    try {
      timer.start(settings.scheduler(), owner.tasks(), ANSWER_NANOS);
      answerTimer = timer;
    } catch (RuntimeException | Error e) {
      answerTimer = null;
    }
  }

  private void onNoAnswer() {
    fail("did not answer within " + Duration.ofNanos(ANSWER_NANOS).toSeconds() + " s", null);
  }

  private Status fail(String what, @Nullable Throwable cause) {
    Status why = unavailable(what).withCause(cause);
    onAnswer();
    owner.onResolutionFailed(why);
    return why;
  }

  private Status unavailable(String what) {
    return Status.UNAVAILABLE.withDescription(
        "the resolver for '" + settings.naming().target().scheme() + "' " + what);
  }

  private void onAnswer() {
    state = State.ANSWERED;
    onAwaitedNoMore();
  }

  private void onAwaitedNoMore() {
    waits.end(settings.scheduler().nanoTime());
    stopTimer();
  }

  /** Returns why the result is not used, or only its endpoints. */
  private Optional<Status> answered(@Nullable Resolution result) {
    if (result instanceof Resolution.Failed failed) {
      onAnswer();
      owner.onResolutionFailed(failed.why());
      return Optional.empty();
    }
    if (result instanceof Resolution.Resolved resolved) {
      onAnswer();
      return resolved.endpoints().isEmpty() ? withdrawn() : owner.onResolved(resolved);
    }
    return Optional.of(fail("returned null as its result", null));
  }

  private Optional<Status> withdrawn() {
    Status why = unavailable("found no endpoints");
    owner.onNoEndpoints(why);
    return Optional.of(why);
  }

  private void stopTimer() {
    if (answerTimer != null) {
      answerTimer.cancel();
      answerTimer = null;
    }
  }

  /** Closes the resolver. The next request creates another one. */
  void stop() {
    state = State.OFF;
    onAwaitedNoMore();
    forget();
  }

  private void forget() {
    Optional<Resolving> left = resolving;
    resolving = Optional.empty();
    if (left.isPresent()) {
      left.get().context.timers.close();
      owner.tasks().callPluginAfterwards(left.get().resolver::shutdown);
      owner.tasks().afterwards(left.get().context.held::close);
    }
  }

  /** What the channel provides for one resolver. */
  private final class ResolverContext implements NameResolver.Context {
    private final SerialTimers timers =
        new SerialTimers(settings.scheduler(), owner.tasks(), this::runIfCurrent);

    private final HeldResources held = new HeldResources(e -> execute(() -> onThrown(e)));

    /** There is no resolver. */
    void end() {
      timers.close();
      owner.tasks().afterwards(held::close);
    }

    /** In a task. A resolver is current from the task in which it was created. */
    private void runIfCurrent(Runnable task) {
      if (resolving.filter(it -> it.context == this).isPresent()) {
        guard(task);
      }
    }

    @Override
    public void execute(Runnable task) {
      Objects.requireNonNull(task, "task");
      owner.tasks().run(() -> runIfCurrent(task));
    }

    @Override
    public void offload(Runnable task) {
      Objects.requireNonNull(task, "task");
      settings
          .scheduler()
          .offload(() -> {
            try {
              task.run();
            } catch (Throwable e) { // only the channel can tell the calls that wait
              execute(() -> onThrown(e));
            }
          });
    }

    @Override
    public Registration schedule(Runnable task, Duration delay) {
      return timers.start(task, delay);
    }

    @Override
    public Registration closeAtShutdown(AutoCloseable resource) {
      return held.add(resource);
    }

    @Override
    public void trace(String event) {
      Objects.requireNonNull(event, "event");
      owner.trace("the resolver for '" + settings.naming().target().scheme() + "'", event);
    }

    @Override
    public long nanoTime() {
      return settings.scheduler().nanoTime();
    }

    @Override
    public RandomGenerator random() {
      return settings.scheduler().random();
    }

    @Override
    public <T> void keep(Attributes.Key<T> key, T value) {
      kept.updateAndGet(it -> it.with(key, value));
    }

    @Override
    public <T> Optional<T> kept(Attributes.Key<T> key) {
      return kept.get().get(key);
    }
  }
}
