package dev.gannet.api.stub;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import java.util.Optional;

/** How calls begin whose caller does not wait for them. */
final class CallStarter {
  private CallStarter() {}

  /**
   * Starts the call. Where it is made inside a handler, its listener is told everything with that
   * handler's call as the current one.
   *
   * @throws RuntimeException whatever the start throws; the call is cancelled then
   */
  static <R> void start(
      ClientCall<?, R> call, ClientCall.Listener<R> listener, CallOptions options) {
    Optional<CallContext> served = CallContext.current();
    try {
      call.start(
          served.isPresent() ? new InContext<>(served.get(), listener) : listener,
          options.metadata().orElseGet(Metadata::new));
    } catch (Throwable e) {
      BlockingCalls.giveUp(call, e);
      throw e;
    }
  }

  /** Sends the only request of a call. If that fails, so does the call, and its listener hears. */
  static <Q> void sendOnly(ClientCall<Q, ?> call, Q request) {
    try {
      call.sendMessage(request);
      call.halfClose();
    } catch (RuntimeException | Error e) {
      BlockingCalls.giveUp(call, e);
    }
  }
}
