package dev.gannet.client.balancer;

/**
 * Observes the calls over one {@link Subchannel}, or those of a {@linkplain
 * Pick.Use#withCallTracker pick}: their beginnings, and through {@link TrackedCall} their ends and
 * the reports of their servers. Calls without a tracker have no additional cost.
 *
 * <p>Called on callers' threads and event loops, concurrently: it must not block. Its exceptions
 * are logged, and the call continues without it. For applications to implement; new methods will
 * have a default.
 */
@FunctionalInterface
public interface CallTracker {
  /** Observes nothing. */
  CallTracker NONE = new Untracked();

  /**
   * An attempt of a call begins on a connection of the subchannel.
   *
   * @param call the attempt; the object that the picker was passed for it. It must not be kept
   *     longer than until the attempt ends
   * @return notified of the end of the attempt; {@link TrackedCall#NONE} if this is not needed
   */
  TrackedCall onStarted(PickArgs call);

  /** Notifies both trackers, in this order. */
  @SuppressWarnings("ReferenceEquality") // the tracker that does nothing
  static CallTracker both(CallTracker first, CallTracker second) {
    if (first == NONE) {
      return second;
    }
    return second == NONE ? first : new BothTrackers(first, second);
  }
}
