package dev.gannet.server;

import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import java.util.List;
import java.util.Optional;

/**
 * Where a server finds methods that it was not built with ({@link
 * ServerBuilder#fallbackHandlerRegistry}). Safe for all threads.
 */
public interface HandlerRegistry {
  /**
   * The method of that name; asked anew for each call, on an event loop, so it must not block. What
   * it throws ends the call with {@code INTERNAL}.
   *
   * @param fullMethodName {@code package.Service/Method}, as the client wrote it
   */
  Optional<ServerMethodDefinition<?, ?>> find(String fullMethodName);

  /** The services that are there now, for reflection; none by default. */
  default List<ServerServiceDefinition> services() {
    return List.of();
  }
}
