package dev.gannet.api;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which call a thread is serving. */
final class CurrentCall {
  private static final ThreadLocal<@Nullable CallContext> CURRENT = new ThreadLocal<>();

  private CurrentCall() {}

  static Optional<CallContext> get() {
    return Optional.ofNullable(CURRENT.get());
  }

  static void run(@Nullable CallContext call, Runnable task) {
    CallContext before = CURRENT.get();
    CURRENT.set(call);
    try {
      task.run();
    } finally {
      CURRENT.set(before); // not removed: an event loop would make the entry anew for every call
    }
  }
}
