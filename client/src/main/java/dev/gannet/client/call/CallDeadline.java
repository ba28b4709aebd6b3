package dev.gannet.client.call;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Deadline;
import dev.gannet.api.engine.DeadlineAccess;
import dev.gannet.api.engine.EngineAccess;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.transport.Scheduler;
import java.time.Duration;
import java.util.Optional;

/**
 * The deadline of a call: the earlier of the one in its options and the one of the call that is
 * being served.
 */
final class CallDeadline {
  private CallDeadline() {}

  /**
   * The deadline of a call that starts now.
   *
   * @param inherited the deadline of the incoming call for which it is made
   */
  static Optional<Deadline> of(
      CallOptions options, Optional<Deadline> inherited, Scheduler scheduler) {
    Optional<Deadline> own = options.deadline();
    if (options.deadlineAfter().isPresent()) {
      own = Optional.of(Deadline.after(options.deadlineAfter().get(), scheduler.clock()));
    }
    return inherited.isPresent() ? Optional.of(earlier(own, inherited.get())) : own;
  }

  /**
   * The earlier of the deadline and the timeout of the service config.
   *
   * @param sinceStartNanos how long ago the call was started
   */
  static Optional<Deadline> withConfig(
      MethodConfig config, Optional<Deadline> own, Scheduler scheduler, long sinceStartNanos) {
    if (config.timeout().isEmpty()) {
      return own;
    }
    Duration timeout = config.timeout().get();
    Deadline ofConfig =
        sinceStartNanos == 0
            ? Deadline.after(timeout, scheduler.clock())
            : BegunEarlier.deadline(timeout, sinceStartNanos, scheduler);
    return Optional.of(earlier(own, ofConfig));
  }

  /** The only use of its access, so that most channels do not wait for it. */
  private static final class BegunEarlier {
    private static final DeadlineAccess ACCESS =
        EngineAccess.get(DeadlineAccess.class, Deadline.class);

    static Deadline deadline(Duration timeout, long sinceNanos, Scheduler scheduler) {
      return (Deadline) ACCESS.begunEarlier(timeout, sinceNanos, scheduler.clock());
    }
  }

  private static Deadline earlier(Optional<Deadline> one, Deadline other) {
    return one.isPresent() ? one.get().min(other) : other;
  }
}
