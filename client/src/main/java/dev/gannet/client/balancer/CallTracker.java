package dev.gannet.client.balancer;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;

/**
 * Observes the calls over one {@link Subchannel}: their number, their ends, and the reports of
 * their servers. Calls over subchannels without a tracker have no additional cost.
 *
 * <p>Called on callers' threads and event loops, concurrently: it must not block. Its exceptions
 * are logged. For applications to implement; new methods will have a default.
 */
public interface CallTracker {
  /** Counts nothing. */
  CallTracker NONE = new CallTrackers.None();

  /** An attempt of a call begins. */
  void onStarted();

  /**
   * The attempt has ended. Called once for each {@link #onStarted}, before the call's listener is
   * notified.
   *
   * @param trailers the trailers that the server sent; empty if the server did not end the attempt
   */
  void onEnded(Status status, Metadata trailers);

  /** Calls both trackers, in this order. */
  @SuppressWarnings("ReferenceEquality") // the tracker that does nothing
  static CallTracker both(CallTracker first, CallTracker second) {
    if (first == NONE) {
      return second;
    }
    return second == NONE ? first : new CallTrackers.Both(first, second);
  }
}
