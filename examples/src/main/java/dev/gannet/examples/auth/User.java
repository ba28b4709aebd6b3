package dev.gannet.examples.auth;

import dev.gannet.api.CallContext;
import dev.gannet.api.Status;

/**
 * The user that makes a call.
 *
 * @param name as people read it
 */
public record User(String name) {
  /** The key under which {@link Authentication} stores the user of a call. */
  static final CallContext.Key<User> KEY = CallContext.Key.of("user");

  /**
   * The user of the call that this thread serves.
   *
   * @throws dev.gannet.api.StatusException if there is none
   */
  public static User current() {
    return CallContext.current()
        .flatMap(it -> it.value(KEY))
        .orElseThrow(() -> Status.UNAUTHENTICATED.asException());
  }
}
