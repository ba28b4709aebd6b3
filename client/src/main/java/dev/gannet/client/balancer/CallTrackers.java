package dev.gannet.client.balancer;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;

/** Trackers that combine others, or do nothing. */
final class CallTrackers {
  private CallTrackers() {}

  record None() implements CallTracker {
    @Override
    public void onStarted() {}

    @Override
    public void onEnded(Status status, Metadata trailers) {}
  }

  record Both(CallTracker first, CallTracker second) implements CallTracker {
    @Override
    public void onStarted() {
      first.onStarted();
      second.onStarted();
    }

    @Override
    public void onEnded(Status status, Metadata trailers) {
      first.onEnded(status, trailers);
      second.onEnded(status, trailers);
    }
  }
}
