package dev.gannet.server.call;

import dev.gannet.api.Registration;

/**
 * Whether a server accepts no more calls, and the actions that its calls run then. Safe for all
 * threads.
 */
public final class Draining {
  private final PendingActions actions = new PendingActions("the shutdown of the server");

  /** The server accepts no more calls from now on. */
  public void begin() {
    actions.fire();
  }

  boolean hasBegun() {
    return actions.areFired();
  }

  /** Runs the action once when draining begins; immediately, on this thread, if it has begun. */
  Registration add(Runnable action) {
    return actions.add(action);
  }
}
