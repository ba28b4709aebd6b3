package dev.gannet.api.stub;

import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.engine.ClientCallAccess;
import dev.gannet.api.engine.EngineAccess;
import dev.gannet.api.engine.StubListener;

/** A call that interceptors have wrapped. Not loaded by calls without interceptors. */
final class InterceptedCall {
  private static final ClientCallAccess ACCESS =
      EngineAccess.get(ClientCallAccess.class, ForwardingClientCall.class);

  private InterceptedCall() {}

  /**
   * Names the caller's listener to the engine, which reports the end to it if the listener of an
   * interceptor throws. Does nothing if an interceptor does not forward to a call of a channel.
   */
  static void setCaller(Object outermost, StubListener caller) {
    ACCESS.setCaller(outermost, caller);
  }
}
