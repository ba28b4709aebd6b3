package dev.gannet.validation;

import dev.gannet.api.ClientCall;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.ForwardingClientCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import org.jspecify.annotations.Nullable;

/** Sends requests that break no rule, and ends the call at the first that does. */
final class CheckedCall<Q, R> extends ForwardingClientCall<Q, R> {
  private final RequestCheck check;

  private volatile @Nullable StatusException refusal;

  CheckedCall(ClientCall<Q, R> call, RequestCheck check) {
    super(call);
    this.check = check;
  }

  @Override
  public void start(Listener<? super R> listener, Metadata headers) {
    super.start(new RefusalListener(listener), headers);
  }

  @Override
  public void sendMessage(Q message) {
    if (refusal != null) {
      return;
    }
    check.refusal(message).ifPresentOrElse(this::refuse, () -> super.sendMessage(message));
  }

  private void refuse(StatusException why) {
    refusal = why;
    cancel("a request breaks a validation rule", why);
  }

  /** Tells the caller why the call was cancelled, where this is what ended it. */
  private final class RefusalListener extends ForwardingClientCallListener<R> {
    RefusalListener(ClientCall.Listener<? super R> listener) {
      super(listener);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      StatusException why = refusal;
      if (why != null && status.code() == Status.Code.CANCELLED) {
        super.onClose(why.status(), why.trailers());
      } else {
        super.onClose(status, trailers);
      }
    }
  }
}
