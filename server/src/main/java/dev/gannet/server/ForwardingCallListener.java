package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallEventListener;
import org.jspecify.annotations.Nullable;

/** A listener that forwards all events of a call to another; subclasses observe a part of them. */
abstract class ForwardingCallListener implements CallEventListener {
  private final CallEventListener call;

  ForwardingCallListener(CallEventListener call) {
    this.call = call;
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
  public @Nullable CallContext context() {
    return call.context();
  }
}
