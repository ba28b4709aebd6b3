package dev.gannet.server;

import dev.gannet.api.Status;
import dev.gannet.server.call.CallCounter;
import dev.gannet.server.call.EngineCall;
import dev.gannet.server.call.ForwardingCallListener;
import dev.gannet.transport.CallEvent;

/** The events of a call whose messages and end are counted. Confined to the connection's loop. */
final class CountedCallListener extends ForwardingCallListener {
  private final CountedStream<?> stream;
  private final CallCounter ofMethod;

  CountedCallListener(EngineCall call, CountedStream<?> stream, CallCounter ofMethod) {
    super(call);
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
    super.add(event);
  }

  @Override
  public void addAnswered() {
    onClosed(Status.OK);
    super.addAnswered();
  }

  /** OK means that the response was written to the network, whatever its own status is. */
  private void onClosed(Status status) {
    stream.leaveQueue();
    if (status.isOk()) {
      stream.counter().onAnswered(ofMethod, stream.answered());
    } else {
      stream.counter().onCutOff(ofMethod, status.code());
    }
  }
}
