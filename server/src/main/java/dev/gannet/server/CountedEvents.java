package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.server.ConnectionCounter.Answered;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallEvents;
import java.util.Optional;

/** The events of a call whose messages and end are counted. Confined to the connection's loop. */
final class CountedEvents implements CallEvents {
  private final CallEvents call;
  private final CountedStream<?> stream;
  private final ConnectionCounter counter;

  CountedEvents(CallEvents call, CountedStream<?> stream, ConnectionCounter counter) {
    this.call = call;
    this.stream = stream;
    this.counter = counter;
  }

  @Override
  public void add(CallEvent event) {
    if (event instanceof CallEvent.Message) {
      counter.onReceived();
    } else if (event instanceof CallEvent.Closed closed) {
      counter.onEnd(closed.status().isOk() ? Answered.YES : Answered.NO, stream.statusIs());
    }
    call.add(event);
  }

  @Override
  public void addAnswered() {
    counter.onEnd(Answered.YES, stream.statusIs());
    call.addAnswered();
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
