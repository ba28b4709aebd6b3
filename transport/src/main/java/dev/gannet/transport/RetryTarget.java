package dev.gannet.transport;

import dev.gannet.api.Status;
import java.util.function.Consumer;

/**
 * The next attempt of a call, as the stream sees it that the call leaves because its server has not
 * processed it. For one thread at a time.
 */
public interface RetryTarget {
  /** Runs the command on the next attempt's stream: now, or once there is one. In order. */
  void send(Consumer<ClientStream<?>> command);

  /** Ends the call, whether there is a stream by now or not. */
  void cancel(Status status);
}
