package dev.gannet.client.balancer;

/**
 * Chooses a subchannel for each attempt of each call. Runs on callers' threads and event loops,
 * many at a time and without a lock: it must not block, and what it looks at does not change,
 * except for counters made for that. A picker that throws, or returns null, fails its call with
 * {@code INTERNAL}.
 */
@FunctionalInterface
public interface Picker {
  Pick pick(PickArgs args);

  /** Has all calls wait. */
  static Picker waiting() {
    return Pickers.WAITING;
  }

  /** Fails all calls but those that wait for ready. */
  static Picker failing(dev.gannet.api.Status why) {
    return new Pickers.Same(Pick.fail(why));
  }

  /** Sends all calls to that subchannel. */
  static Picker using(Subchannel subchannel) {
    return new Pickers.Same(Pick.use(subchannel));
  }
}
