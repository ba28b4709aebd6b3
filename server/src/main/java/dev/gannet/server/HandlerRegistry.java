package dev.gannet.server;

import dev.gannet.api.Dispatch;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import java.util.List;
import java.util.Optional;

/**
 * Provides methods that were not added to the server's builder ({@link
 * ServerBuilder#addFallbackHandlerRegistry}). Their calls pass the interceptors of all services,
 * then those that the methods have themselves: a {@link MutableHandlerRegistry} gives them those of
 * a service. If a service of the same name was added to the builder, its {@link ServiceOptions}
 * apply to them, too, between the two: a protected service has no unprotected methods. Those of
 * headers ({@link dev.gannet.api.HeadersInterceptor}) run in the same order. Safe for all threads.
 * For applications to implement; new methods will have a default.
 */
public interface HandlerRegistry {
  /**
   * The method with this name; asked again for each call, on an event loop, so it must not block.
   * An exception ends the call with {@code INTERNAL}. Also asked when a server starts, for each
   * method with limits of a service that the server has and whose method it has not.
   *
   * <p>It should return the same object for a method as long as nothing about the method changes.
   * The server's options are applied to each new object; the method's counters in {@link
   * Server#snapshot()} begin anew with it, as does the watch over handlers that are too slow for
   * {@link Dispatch#inline()}.
   *
   * @param fullMethodName {@code package.Service/Method}, as the client or the application gave it
   */
  Optional<ServerMethodDefinition<?, ?>> find(String fullMethodName);

  /** The current services, for reflection; none by default. */
  default List<ServerServiceDefinition> services() {
    return List.of();
  }
}
