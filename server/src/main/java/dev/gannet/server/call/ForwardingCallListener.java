package dev.gannet.server.call;

import dev.gannet.api.CallContext;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;

/** A listener that forwards all of a call to another; subclasses observe a part of its events. */
public abstract class ForwardingCallListener implements EngineCall {
  private final EngineCall call;

  public ForwardingCallListener(EngineCall call) {
    this.call = call;
  }

  @Override
  public CallAdmission onBegun() {
    return call.onBegun();
  }

  @Override
  public void add(CallEvent event) {
    call.add(event);
  }

  @Override
  public void addAnswered() {
    call.addAnswered();
  }

  @Override
  public void flush() {
    call.flush();
  }

  @Override
  public boolean isMessageRequested() {
    return call.isMessageRequested();
  }

  @Override
  public CallContext context() {
    return call.context();
  }

  @Override
  public void setValues(ContextValue values) {
    call.setValues(values);
  }
}
