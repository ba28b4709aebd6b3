package dev.gannet.api.stub;

import dev.gannet.api.CallContext;
import dev.gannet.api.ServerCall;

/**
 * Events reach a handler in the context of its call, also if an interceptor forwards them later on
 * another thread, for example after an asynchronous authentication.
 */
final class OwnContext {
  private OwnContext() {}

  /** Whether this thread serves the call. Otherwise its context must run what the event causes. */
  static boolean isCurrent(ServerCall<?, ?> call) {
    CallContext current = CallContext.current().orElse(null);
    return current != null && current.equals(call.context());
  }

  /** Runs it in the context of the call. */
  static void run(ServerCall<?, ?> call, Runnable event) {
    if (isCurrent(call)) {
      event.run();
    } else {
      call.context().run(event);
    }
  }
}
