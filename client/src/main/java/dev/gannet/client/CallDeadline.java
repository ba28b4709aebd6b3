package dev.gannet.client;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Deadline;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.transport.Scheduler;
import java.time.Duration;
import java.util.Optional;

/**
 * When a call must have ended: the earliest of what its options say and what is left to the call
 * that is being served here.
 */
final class CallDeadline {
  private CallDeadline() {}

  /**
   * The deadline of a call that starts now.
   *
   * @param served the call that it is made for
   */
  static Optional<Deadline> of(
      CallOptions options, Optional<CallContext> served, Scheduler scheduler) {
    Optional<Deadline> own = options.deadline();
    if (options.timeout().isPresent()) {
      own = Optional.of(earlier(own, Deadline.after(options.timeout().get(), scheduler::nanoTime)));
    }
    return served.isPresent() && served.get().deadline().isPresent()
        ? Optional.of(earlier(own, served.get().deadline().get()))
        : own;
  }

  /**
   * The earlier of that deadline and what the service config says.
   *
   * @param sinceStartNanos how long ago the call has started
   */
  static Optional<Deadline> by(
      MethodConfig config, Optional<Deadline> own, Scheduler scheduler, long sinceStartNanos) {
    if (config.timeout().isEmpty()) {
      return own;
    }
    Duration left = config.timeout().get().minusNanos(sinceStartNanos);
    return Optional.of(
        earlier(
            own, Deadline.after(left.isNegative() ? Duration.ZERO : left, scheduler::nanoTime)));
  }

  private static Deadline earlier(Optional<Deadline> one, Deadline other) {
    return one.isPresent() ? one.get().min(other) : other;
  }
}
