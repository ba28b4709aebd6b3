package dev.gannet.client.balancer;

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

  /** Fails all calls except wait-for-ready ones. */
  static Picker failing(dev.gannet.api.Status why) {
    return new Pickers.Same(Pick.fail(why));
  }

  /** Sends all calls to this subchannel. */
  static Picker using(Subchannel subchannel) {
    return new Pickers.Same(Pick.use(subchannel));
  }
}
