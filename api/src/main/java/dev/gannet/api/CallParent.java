package dev.gannet.api;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What the calls that a thread makes belong to: the {@linkplain CallContext call that a handler is
 * serving}, or a {@link CallScope}. Calls that are created or started while it is current inherit
 * its deadline (if they have one of their own, the earlier applies), and are cancelled when it is
 * cancelled.
 *
 * <p>Interceptors of clients read what a call is made for with {@code
 * CallParent.current().flatMap(it -> it.value(KEY))}: the value of a scope, or that of the handler.
 *
 * <p>Safe for all threads. Only implemented by Gannet; methods may be added.
 */
public interface CallParent {
  /**
   * The parent of the calls that this thread makes: that of the innermost {@link #run}; in a
   * handler, otherwise the {@linkplain CallContext#current call that it serves}. Empty if there is
   * none, and inside {@link CallContext#runDetached}.
   */
  static Optional<CallParent> current() {
    return CurrentCall.parent();
  }

  /** The time by which calls that are made for it must end; empty if there is none. */
  Optional<Deadline> deadline();

  /** The value that was set for the key. */
  <T> Optional<T> value(CallContext.Key<T> key);

  /** Whether it was cancelled. Calls that are made for it from then on end at once. */
  boolean isCancelled();

  /**
   * Runs the action once if it is cancelled, without a current call, on the thread that cancels it;
   * the action must not block. If it is already cancelled, the action runs now on this thread,
   * unless another thread is running the actions at the moment.
   *
   * @return the registration; {@link Registration#close} removes the action, and does not wait for
   *     an action that is already running
   */
  Registration onCancelled(Runnable action);

  /** Why it was cancelled; empty while it {@linkplain #isCancelled is not}, or if nobody knows. */
  Optional<Status> cancellation();

  /**
   * With which status the calls that are made for it end if it is cancelled now: {@link
   * Status.Code#DEADLINE_EXCEEDED} if its deadline has passed, which is theirs, too; otherwise
   * {@link Status.Code#CANCELLED}, for a {@link CallScope} with its {@link #cancellation}.
   */
  default Status endOfCalls() {
    boolean isScope = this instanceof CallScope;
    if (deadline().filter(Deadline::isExpired).isPresent()) {
      return Status.DEADLINE_EXCEEDED.withDescription(
          "deadline exceeded, inherited from the " + (isScope ? "call scope" : "incoming call"));
    }
    return isScope
        ? cancellation().orElse(Status.CANCELLED)
        : Status.CANCELLED.withDescription(
            "the call was made by a handler whose own call was cancelled");
  }

  /**
   * Runs the task with this as the parent of the calls that it makes; that of a handler is then
   * also the current call. For handlers that use other threads, and for scopes.
   */
  default void run(Runnable task) {
    CurrentCall.run(this, task);
  }

  /** Like {@link #run}, for tasks that have a result or throw checked exceptions. */
  default <T extends @Nullable Object> T call(Callable<T> task) throws Exception {
    return CurrentCall.call(this, task);
  }

  /** Wraps the task so that any thread can run it as {@link #run} does. */
  default Runnable wrap(Runnable task) {
    return () -> run(task);
  }

  /** Wraps the task so that any thread can call it as {@link #call} does. */
  default <T extends @Nullable Object> Callable<T> wrap(Callable<T> task) {
    return () -> call(task);
  }

  /** An executor that runs each task on the given executor, as {@link #run} does. */
  default Executor wrap(Executor executor) {
    return task -> executor.execute(wrap(task));
  }
}
