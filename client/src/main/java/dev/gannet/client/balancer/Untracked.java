package dev.gannet.client.balancer;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;

/** Observes nothing. Not a lambda: its set-up would delay a channel's first call. */
record Untracked() implements CallTracker, TrackedCall {
  @Override
  public TrackedCall onStarted(PickArgs call) {
    return TrackedCall.NONE;
  }

  @Override
  public void onEnded(Status status, Metadata trailers) {}
}
