package dev.gannet.transport;

import dev.gannet.api.ServerStreamTracer;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.protocol.RequestProtocols;
import java.util.List;
import java.util.Optional;

/**
 * What the transports of a server ask the server. They call on the connections' threads, so
 * implementations must not block.
 */
public interface ServerCalls {
  /**
   * The method with exactly this path, {@code /package.Service/Method}. A connection caches the
   * answer, including that there is no such method; so this must find only methods that are
   * registered for the server's whole life.
   */
  Optional<? extends ServerMethod<?, ?>> find(String path);

  /**
   * The method of a path that {@link #find} does not know, for servers whose methods change. It is
   * asked again for each call. What it throws ends the call, see {@link RegistryFailures}.
   */
  default Optional<? extends ServerMethod<?, ?>> findFallback(String path) {
    return Optional.empty();
  }

  /** The message encodings that the server knows. Always the same. */
  default MessageEncodings encodings() {
    return MessageEncodings.DEFAULT;
  }

  /** The protocols of requests that the server accepts. Always the same. */
  default RequestProtocols protocols() {
    return RequestProtocols.GRPC;
  }

  /**
   * The factories of tracers for requests, including requests that become no call. Always the same
   * list.
   */
  default List<ServerStreamTracer.Factory> tracers() {
    return List.of();
  }

  /** The thread of a connection took 10 ms or more to process what had arrived in one pass. */
  void onSlowPass();
}
