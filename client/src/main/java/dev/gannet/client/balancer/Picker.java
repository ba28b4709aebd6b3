package dev.gannet.client.balancer;

import dev.gannet.api.Status;
import java.util.Optional;

/**
 * Chooses a subchannel for each attempt of each call. Runs on callers' threads and event loops,
 * concurrently and without a lock: it must not block, and its data must be immutable, except for
 * counters made for that. If a picker throws or returns null, its call fails with {@code INTERNAL}.
 */
@FunctionalInterface
public interface Picker {
  /**
   * The decision about an attempt that is about to start; asked again with the next picker if the
   * attempt has to wait.
   */
  Pick pick(PickArgs args);

  /** Queues all calls: they wait for the next picker. */
  static Picker queueing() {
    return Pickers.QUEUEING;
  }

  /**
   * Fails all calls except wait-for-ready ones. The trace of a channel whose policy publishes it
   * has the status as the reason of the failure.
   */
  static Picker failing(Status why) {
    return new Pickers.Same(Pick.fail(why));
  }

  /** The status of a picker that {@link #failing} has created; empty for all others. */
  static Optional<Status> failureOf(Picker picker) {
    return picker instanceof Pickers.Same same && same.pick() instanceof Pick.Fail fail
        ? Optional.of(fail.why())
        : Optional.empty();
  }

  /** Sends all calls to this subchannel. */
  static Picker using(Subchannel subchannel) {
    return new Pickers.Same(Pick.use(subchannel));
  }
}
