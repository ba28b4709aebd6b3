package dev.gannet.validation;

import dev.gannet.api.ForwardingServerCallListener;
import dev.gannet.api.ServerCall;
import dev.gannet.api.StatusException;
import java.util.Optional;

/** Passes on requests that break no rule, and ends the call at the first that does. */
final class CheckedRequests<Q> extends ForwardingServerCallListener<Q> {
  private final ServerCall<Q, ?> call;
  private final RequestCheck check;
  private boolean refused;

  CheckedRequests(ServerCall<Q, ?> call, ServerCall.Listener<Q> listener, RequestCheck check) {
    super(listener);
    this.call = call;
    this.check = check;
  }

  /** Closes the call rather than throwing: a handler that waits for messages would catch that. */
  @Override
  public void onMessage(Q message) {
    if (refused) {
      return;
    }
    Optional<StatusException> refusal = check.refusal(message);
    if (refusal.isEmpty()) {
      super.onMessage(message);
    } else {
      refused = true;
      call.close(refusal.get().status(), refusal.get().trailers());
    }
  }

  @Override
  public void onHalfClose() {
    if (!refused) {
      super.onHalfClose();
    }
  }
}
