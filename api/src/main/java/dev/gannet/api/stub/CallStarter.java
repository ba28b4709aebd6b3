package dev.gannet.api.stub;

import dev.gannet.api.CallOptions;
import dev.gannet.api.CallParent;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.engine.ChannelCall;
import dev.gannet.api.engine.StubListener;
import java.util.Optional;

/** Starts calls whose caller does not wait for them. */
final class CallStarter {
  private CallStarter() {}

  /**
   * Starts the call. If it is made inside a handler or a scope, its listener runs with the same
   * parent.
   *
   * @throws RuntimeException whatever {@code start} throws; the call is then cancelled
   */
  static <R> void start(
      ClientCall<?, R> call, ClientCall.Listener<R> listener, CallOptions options) {
    try {
      begin(call, listener, options);
    } catch (Throwable e) {
      BlockingCalls.giveUp(call, e);
      throw e;
    }
  }

  /** Like {@link #start}, but the caller has to cancel the call if this throws. */
  static <R> void begin(
      ClientCall<?, R> call, ClientCall.Listener<R> listener, CallOptions options) {
    Optional<CallParent> parent = CallParent.current();
    startWithHeaders(
        call, parent.isPresent() ? new InContext<>(parent.get(), listener) : listener, options);
  }

  /** Starts the call with the metadata of the options as headers, which pass its interceptors. */
  static <R> void startWithHeaders(
      ClientCall<?, R> call, ClientCall.Listener<R> listener, CallOptions options) {
    if (!(call instanceof ChannelCall) && listener instanceof StubListener caller) {
      InterceptedCall.setCaller(call, caller);
    }
    Optional<Metadata> headers = options.metadata();
    if (headers.isPresent()) {
      call.start(listener, headers.get());
    } else {
      call.start(listener);
    }
  }

  /**
   * Sends the only request of a call. If that fails, the call fails, and its listener is notified.
   */
  static <Q> void sendOnly(ClientCall<Q, ?> call, Q request) {
    try {
      call.sendMessage(request);
      call.halfClose();
    } catch (RuntimeException | Error e) {
      BlockingCalls.giveUp(call, e);
    }
  }
}
