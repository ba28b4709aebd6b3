package dev.gannet.api;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Manages the call that a thread is serving. */
final class CurrentCall {
  private static final Object DETACHED = new Object();

  /** A {@link CallContext}, or a marker for "no call". */
  private static final ThreadLocal<@Nullable Object> CURRENT = new ThreadLocal<>();

  private CurrentCall() {}

  static Optional<CallContext> get() {
    return CURRENT.get() instanceof CallContext call ? Optional.of(call) : Optional.empty();
  }

  static boolean isDetached() {
    return DETACHED.equals(CURRENT.get());
  }

  static void run(CallContext call, Runnable task) {
    runWith(call, task);
  }

  static void runDetached(Runnable task) {
    runWith(DETACHED, task);
  }

  static <T extends @Nullable Object> T call(CallContext call, Callable<T> task) throws Exception {
    return callWith(call, task);
  }

  static <T extends @Nullable Object> T callDetached(Callable<T> task) throws Exception {
    return callWith(DETACHED, task);
  }

  private static <T extends @Nullable Object> T callWith(Object current, Callable<T> task)
      throws Exception {
    Object before = CURRENT.get();
    CURRENT.set(current);
    try {
      return task.call();
    } finally {
      CURRENT.set(before); // not removed, as in runWith
    }
  }

  private static void runWith(Object current, Runnable task) {
    Object before = CURRENT.get();
    CURRENT.set(current);
    try {
      task.run();
    } finally {
      CURRENT.set(
          before); // not removed: an event loop would have to create the entry again for every call
    }
  }
}
