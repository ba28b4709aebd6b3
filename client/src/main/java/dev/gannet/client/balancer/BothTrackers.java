package dev.gannet.client.balancer;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;

/**
 * Two trackers of the same calls. If both return themselves for a call, this returns itself, too:
 * then the call needs no additional object.
 */
record BothTrackers(CallTracker first, CallTracker second) implements CallTracker, TrackedCall {
  private static final Status NOT_TRACKED =
      Status.CANCELLED.withDescription("another tracker of the call has failed");

  /** A call, as the two trackers follow it. */
  private record BothCalls(TrackedCall first, TrackedCall second) implements TrackedCall {
    @Override
    public void onEnded(Status status, Metadata trailers) {
      end(first, second, status, trailers);
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // objects that are shared on purpose
  public TrackedCall onStarted(PickArgs call) {
    TrackedCall one = first.onStarted(call);
    TrackedCall other;
    try {
      other = second.onStarted(call);
    } catch (Throwable e) { // the first one must not count the call forever
      one.onEnded(NOT_TRACKED, new Metadata());
      throw e;
    }
    if (one == first && other == second) {
      return this;
    }
    if (one == TrackedCall.NONE) {
      return other;
    }
    return other == TrackedCall.NONE ? one : new BothCalls(one, other);
  }

  /** The end of a call for which both have returned themselves. */
  @Override
  public void onEnded(Status status, Metadata trailers) {
    end((TrackedCall) first, (TrackedCall) second, status, trailers);
  }

  private static void end(TrackedCall first, TrackedCall second, Status status, Metadata trailers) {
    try {
      first.onEnded(status, trailers);
    } finally {
      second.onEnded(status, trailers);
    }
  }
}
