package dev.gannet.client.call;

import dev.gannet.api.Metadata;
import dev.gannet.client.balancer.Pick;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientTransport;

/** What an attempt starts with if its pick adds something to the start of its call. */
final class PickedStart {
  private PickedStart() {}

  /** The start of the call, with the headers of the pick, and its authority if there is none. */
  static <Q, R> CallStart<Q, R> of(CallStart<Q, R> start, Pick.Use pick) {
    boolean renamed = pick.authority().isPresent() && start.authority().isEmpty();
    if (!pick.hasHeaders() && !renamed) {
      return start;
    }
    Metadata headers = start.headers().copy(); // the call's own is also used by its next attempt
    headers.mergeReplacing(pick.headers());
    return new CallStart<>(
        start.method(),
        renamed ? pick.authority() : start.authority(),
        headers,
        start.deadline(),
        start.messages());
  }

  /** The {@code :authority} that the attempt will send on this connection. */
  static String authority(CallStart<?, ?> start, Pick.Use pick, ClientTransport connection) {
    return start.authority().or(pick::authority).orElseGet(connection::authority);
  }
}
