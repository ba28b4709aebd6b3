package dev.gannet.transport;

import dev.gannet.api.Status;
import java.util.function.Consumer;

/** The way on of a call that leaves a connection unseen by its server. Of one thread at a time. */
public interface Onward {
  /** Has the stream that carries the call do that: now, or once there is one. In order. */
  void order(Consumer<ClientStream<?>> order);

  /** Ends the call, whether there is a stream by now or not. */
  void cancel(Status status);
}
