package dev.gannet.server.call;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;
import org.jspecify.annotations.Nullable;

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
  public boolean isTraced() {
    return call.isTraced();
  }

  @Override
  public void onResponseSent(@Nullable Metadata headers, int wireBytes, int messageBytes) {
    call.onResponseSent(headers, wireBytes, messageBytes);
  }

  @Override
  public void onEndGiven(Status status, Metadata trailers) {
    call.onEndGiven(status, trailers);
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
