package dev.gannet.server;

import dev.gannet.api.CallContext.Registration;

/** Whether a server takes no more calls, and what its calls want to be done then. All threads. */
final class Draining implements ServerObserver {
  private final PendingActions actions = new PendingActions("the shutdown of the server");

  @Override
  public void onDrain(Server server) {
    actions.fire();
  }

  boolean hasBegun() {
    return actions.areFired();
  }

  /** Has the action run once when it begins; here and now if it has. */
  Registration add(Runnable action) {
    return actions.add(action);
  }
}
