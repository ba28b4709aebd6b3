package dev.gannet.server.call;

import dev.gannet.api.CallContext;
import dev.gannet.transport.CallEventListener;

/** A call of this server with its wrappers; it has all the functions of an {@link IncomingCall}. */
public interface EngineCall extends CallEventListener {
  @Override
  CallContext context();

  /** Sets the initial values of its context; called before its first event. */
  void setValues(ContextValue values);
}
