package dev.gannet.client.balancer;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;

/**
 * Is told of the calls that go over one {@link Subchannel}: how many there are, how they end, what
 * their servers report. Calls over subchannels without one cost nothing for it.
 *
 * <p>Told on callers' threads and event loops, many at a time: it must not block. What it throws is
 * logged.
 */
public interface CallTracker {
  /** Counts nothing. */
  CallTracker NONE = new CallTrackers.None();

  /** An attempt of a call begins. */
  void onStarted();

  /**
   * The attempt has ended. Told once for each {@link #onStarted}, before the call's listener hears
   * of it.
   *
   * @param trailers what the server sent with the end; empty if the end is not the server's
   */
  void onEnded(Status status, Metadata trailers);

  /** Tells both, in that order. */
  @SuppressWarnings("ReferenceEquality") // the one that tells nobody
  static CallTracker both(CallTracker first, CallTracker second) {
    if (first == NONE) {
      return second;
    }
    return second == NONE ? first : new CallTrackers.Both(first, second);
  }
}
