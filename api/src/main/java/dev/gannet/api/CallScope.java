package dev.gannet.api;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Calls that belong together: they share a deadline and values, and are cancelled together. For
 * programs that make calls outside of a handler, such as a batch job, and for handlers in which
 * some calls need less time than the handler has.
 *
 * <pre>{@code
 * try (CallScope scope = CallScope.builder().deadline(Duration.ofSeconds(30)).open()) {
 *   List<CompletableFuture<Price>> prices =
 *       scope.call(() -> shops.stream().map(shop -> shop.price(item)).toList());
 *   return cheapest(prices);
 * } // cancels the calls that still run
 * }</pre>
 *
 * <p>A call belongs to the scope if it is created or started in {@link #run}, in {@link #call}, or
 * in a task that was {@linkplain #wrap wrapped}. If it has a deadline of its own, the earlier one
 * applies. The deadline ends each call with {@code DEADLINE_EXCEEDED}; the scope itself is not
 * cancelled then.
 *
 * <p>A scope that is opened inside a handler, or inside another scope, inherits from it: the
 * earlier deadline, the values that it does not set itself, and the cancellation. Inside the scope
 * {@link CallContext#current} is still the call of the handler.
 *
 * <p>A scope that is not {@linkplain #close closed} stays in the memory of the call or scope in
 * which it was opened.
 *
 * <pre>
 *   OPEN ──cancel, close, or cancellation of the surrounding call or scope──► CANCELLED
 * </pre>
 *
 * <p>Safe for all threads.
 */
@Preview(until = "0.3")
public final class CallScope implements CallParent, AutoCloseable {
  private static final Logger LOG = System.getLogger(CallScope.class.getName());

  private static final Status PARENT_CANCELLED =
      Status.CANCELLED.withDescription(
          "the call scope was opened by a handler whose own call was cancelled");

  private final @Nullable CallParent parent;
  private final Optional<Deadline> deadline;
  private final Map<CallContext.Key<?>, Object> values;
  private final OneTimeActions actions = new OneTimeActions();

  /** Why the scope was cancelled; null while it is open. */
  private final AtomicReference<@Nullable Status> cancellation = new AtomicReference<>();

  /** The registration at the parent, until this scope is cancelled. */
  private volatile @Nullable Registration registration;

  private CallScope(
      @Nullable CallParent parent, Optional<Deadline> own, Map<CallContext.Key<?>, Object> values) {
    this.parent = parent;
    this.deadline = earlier(own, parent == null ? Optional.empty() : parent.deadline());
    this.values = Map.copyOf(values);
  }

  private static Optional<Deadline> earlier(Optional<Deadline> own, Optional<Deadline> inherited) {
    return own.isPresent() && inherited.isPresent()
        ? Optional.of(own.get().min(inherited.get()))
        : own.or(() -> inherited);
  }

  /** Sets what the calls of a scope have in common. */
  public static Builder builder() {
    return new Builder();
  }

  /** The properties of a scope. Not safe for concurrent use. */
  public static final class Builder {
    private @Nullable Deadline deadline;
    private @Nullable Duration deadlineAfter;
    private final Map<CallContext.Key<?>, Object> values = new HashMap<>();

    Builder() {}

    /** The time by which all calls must end; replaces an earlier one, also a duration. */
    public Builder deadline(Deadline deadline) {
      this.deadline = Objects.requireNonNull(deadline, "deadline");
      deadlineAfter = null;
      return this;
    }

    /**
     * How long after the opening of the scope all calls must end, by {@link Deadline#systemTicker};
     * replaces an earlier one, also a fixed deadline.
     */
    public Builder deadline(Duration afterOpening) {
      deadlineAfter = Objects.requireNonNull(afterOpening, "afterOpening");
      deadline = null;
      return this;
    }

    /**
     * A value that {@link CallScope#value} returns. Interceptors of the calls find it by {@link
     * CallParent#current}.
     */
    public <T> Builder value(CallContext.Key<T> key, T value) {
      values.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, key.toString()));
      return this;
    }

    /**
     * Opens a scope inside the call that this thread serves, or inside its current scope, if there
     * is one. Code belongs to it only by {@link CallScope#run} and the like.
     */
    public CallScope open() {
      @Nullable CallParent parent = CallParent.current().orElse(null);
      CallScope scope = new CallScope(parent, deadlineFromNow(), values);
      if (parent != null) {
        scope.follow(parent);
      }
      return scope;
    }

    private Optional<Deadline> deadlineFromNow() {
      return deadlineAfter == null
          ? Optional.ofNullable(deadline)
          : Optional.of(Deadline.after(deadlineAfter));
    }
  }

  private void follow(CallParent followed) {
    Registration made = followed.onCancelled(() -> end(statusFrom(followed)));
    registration = made;
    if (isCancelled()) { // write-then-check with end: the registration first, then the cancellation
      made.close();
    }
  }

  private static Status statusFrom(CallParent cancelled) {
    return cancelled instanceof CallScope outer
        ? outer.cancellation().orElse(PARENT_CANCELLED)
        : PARENT_CANCELLED;
  }

  /** The handler's call in which it was opened, if any. */
  @Nullable CallContext served() {
    if (parent instanceof CallScope outer) {
      return outer.served();
    }
    return parent instanceof CallContext call ? call : null;
  }

  /**
   * Ends all calls of the scope that are under way, and from now on each further one at once, with
   * {@code CANCELLED} and this text. The first cancellation counts. Runs the {@linkplain
   * #onCancelled registered} actions on this thread; their exceptions are logged.
   */
  public void cancel(String message) {
    end(Status.CANCELLED.withDescription(message));
  }

  /** Like {@link #cancel(String)}, with the exception that is the reason. */
  public void cancel(String message, Throwable cause) {
    end(Status.CANCELLED.withDescription(message).withCause(cause));
  }

  /** Cancels what still runs; a scope whose calls have all ended only becomes unusable. */
  @Override
  public void close() {
    if (!isCancelled()) {
      cancel("the call scope was closed");
    }
  }

  private void end(Status why) {
    if (!cancellation.compareAndSet(null, why)) {
      return;
    }
    // write-then-check with follow: the cancellation first, then the registration
    Registration made = registration;
    if (made != null) {
      made.close();
    }
    actions.run();
  }

  /** An exception is not for the thread that runs it, which may be that of another user. */
  private static void runAndLog(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.WARNING, "an action for the cancellation of a call scope has thrown", e);
    }
  }

  @Override
  public Optional<Deadline> deadline() {
    return deadline;
  }

  /** The value that was set for the key here, or else where the scope was opened. */
  @Override
  @SuppressWarnings("unchecked") // the builder only accepts a T for a Key<T>
  public <T> Optional<T> value(CallContext.Key<T> key) {
    Object own = values.get(key);
    if (own != null) {
      return Optional.of((T) own);
    }
    return parent == null ? Optional.empty() : parent.value(key);
  }

  /** Whether it was cancelled or closed, or the call or scope in which it was opened. */
  @Override
  public boolean isCancelled() {
    return cancellation.get() != null;
  }

  @Override
  public Registration onCancelled(Runnable action) {
    Objects.requireNonNull(action, "action");
    return actions.add(() -> runAndLog(action));
  }

  @Override
  public Optional<Status> cancellation() {
    return Optional.ofNullable(cancellation.get());
  }

  @Override
  public String toString() {
    @Nullable Status why = cancellation.get();
    return "CallScope[" + (why == null ? "open" : why) + "]";
  }
}
