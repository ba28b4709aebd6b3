package dev.gannet.transport;

import dev.gannet.api.Status;
import java.util.function.Consumer;

/**
 * Where a stream moves its call when the server has not processed it: the next attempt of the call.
 * For one thread at a time.
 */
public interface RetryTarget {
  /**
   * Runs the command on the stream of the next attempt: now, or as soon as there is one. Commands
   * keep their order.
   */
  void send(Consumer<ClientStream<?>> command);

  /** Ends the call, whether the next stream exists yet or not. */
  void cancel(Status status);
}
