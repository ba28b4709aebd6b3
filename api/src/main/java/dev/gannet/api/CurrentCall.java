package dev.gannet.api;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Manages the call that a thread is serving, and the scope of the calls that it makes. */
final class CurrentCall {
  private static final Object DETACHED = new Object();

  /**
   * One element: a {@link CallParent}, {@link #DETACHED}, or null for "no call". The array stays
   * with its thread, so that beginning and ending a call take one look-up together. It is an array
   * because a class of Gannet in a pool's thread would keep Gannet loaded.
   */
  private static final ThreadLocal<@Nullable Object[]> CURRENT =
      ThreadLocal.withInitial(() -> new @Nullable Object[1]);

  private CurrentCall() {}

  static Optional<CallContext> get() {
    Object during = CURRENT.get()[0];
    if (during instanceof CallContext call) {
      return Optional.of(call);
    }
    return during instanceof CallScope scope
        ? Optional.ofNullable(scope.served())
        : Optional.empty();
  }

  static Optional<CallParent> parent() {
    return CURRENT.get()[0] instanceof CallParent parent ? Optional.of(parent) : Optional.empty();
  }

  static boolean isDetached() {
    return DETACHED.equals(CURRENT.get()[0]);
  }

  static void run(CallParent call, Runnable task) {
    runWith(call, task);
  }

  static void runDetached(Runnable task) {
    runWith(DETACHED, task);
  }

  static <T extends @Nullable Object> T call(CallParent call, Callable<T> task) throws Exception {
    return callWith(call, task);
  }

  static <T extends @Nullable Object> T callDetached(Callable<T> task) throws Exception {
    return callWith(DETACHED, task);
  }

  private static <T extends @Nullable Object> T callWith(Object during, Callable<T> task)
      throws Exception {
    @Nullable Object[] current = CURRENT.get();
    Object before = current[0];
    current[0] = during;
    try {
      return task.call();
    } finally {
      current[0] = before;
    }
  }

  private static void runWith(Object during, Runnable task) {
    @Nullable Object[] current = CURRENT.get();
    Object before = current[0];
    current[0] = during;
    try {
      task.run();
    } finally {
      current[0] = before;
    }
  }
}
