package dev.gannet.validation;

import dev.gannet.api.ClientCall;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.StatusException;

/** Sends requests that break no rule, and ends the call at the first that does. */
final class CheckedCall<Q, R> extends ForwardingClientCall<Q, R> {
  private final RequestCheck check;

  /** Belongs to the thread that sends. */
  private boolean refused;

  CheckedCall(ClientCall<Q, R> call, RequestCheck check) {
    super(call);
    this.check = check;
  }

  @Override
  public void sendMessage(Q message) {
    if (!refused) {
      check.refusal(message).ifPresentOrElse(this::refuse, () -> super.sendMessage(message));
    }
  }

  private void refuse(StatusException why) {
    refused = true;
    end(why.status(), why.trailers());
  }
}
