package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.Status;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallEvents;
import java.util.Optional;

/** The events of a call whose messages and end are counted. Confined to the connection's loop. */
final class CountedEvents implements CallEvents {
  private final CallEvents call;
  private final CountedStream<?> stream;
  private final MethodCounter ofMethod;

  CountedEvents(CallEvents call, CountedStream<?> stream, MethodCounter ofMethod) {
    this.call = call;
    this.stream = stream;
    this.ofMethod = ofMethod;
  }

  @Override
  public void add(CallEvent event) {
    if (event instanceof CallEvent.Message message) {
      stream.counter().onReceived(ofMethod, message.wireBytes());
    } else if (event instanceof CallEvent.Closed closed) {
      onClosed(closed.status());
    }
    call.add(event);
  }

  @Override
  public void addAnswered() {
    onClosed(Status.OK);
    call.addAnswered();
  }

  /** OK says that the answer was handed to the network, whatever its own status. */
  private void onClosed(Status status) {
    if (status.isOk()) {
      stream.counter().onAnswered(ofMethod, stream.answered());
    } else {
      stream.counter().onCutOff(ofMethod, status.code());
    }
  }

  @Override
  public Optional<CallContext> context() {
    return call.context();
  }

  @Override
  public void flush() {
    call.flush();
  }

  @Override
  public boolean isMessageRequested() {
    return call.isMessageRequested();
  }
}
