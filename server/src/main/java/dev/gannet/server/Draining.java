package dev.gannet.server;

import dev.gannet.api.Registration;

/**
 * Whether a server accepts no more calls, and the actions that its calls run then. Safe for all
 * threads.
 */
final class Draining implements ServerObserver {
  private final PendingActions actions = new PendingActions("the shutdown of the server");

  @Override
  public void onDrain(Server server) {
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
