package dev.gannet.client.balancer;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;

/**
 * Observes one attempt of a call; a {@link CallTracker} returns it when the attempt begins. It may
 * contain what the tracker needs at the end, such as the time of the beginning, or be the tracker
 * itself if one object can serve all calls.
 *
 * <p>Called on callers' threads and event loops: it must not block. Its exceptions are logged. For
 * applications to implement; new methods will have a default.
 */
@FunctionalInterface
public interface TrackedCall {
  /** Needs no notification of the end, and costs the call nothing. */
  TrackedCall NONE = new Untracked();

  /**
   * The attempt has ended. Called once, before the call's listener is notified.
   *
   * @param status the status of the attempt; another attempt of the same call may follow
   * @param trailers the trailers that the server sent; empty if the server did not end the attempt.
   *     They belong to the call, and must not be changed
   */
  void onEnded(Status status, Metadata trailers);
}
