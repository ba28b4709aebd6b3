package dev.gannet.transport;

import dev.gannet.api.ServerStreamTracer;
import dev.gannet.protocol.MessageEncodings;
import java.util.List;
import java.util.Optional;

/**
 * What a server's transports ask the server for; on the connections' threads, so it must not block.
 */
public interface ServerCalls {
  /**
   * The method of that path, {@code /package.Service/Method} to the letter. A connection keeps the
   * answer, also that there is none: so only methods that neither come nor go are found here.
   */
  Optional<ServerMethod<?, ?>> find(String path);

  /**
   * The method of a path that {@link #find} does not know, where methods come and go: asked anew
   * for each call. What this throws ends the call: {@link RegistryFailures}.
   */
  default Optional<ServerMethod<?, ?>> findFallback(String path) {
    return Optional.empty();
  }

  /** The message encodings that the server knows. Always the same. */
  default MessageEncodings encodings() {
    return MessageEncodings.DEFAULT;
  }

  /** Who makes tracers for requests, those that become no call among them. Always the same. */
  default List<ServerStreamTracer.Factory> tracers() {
    return List.of();
  }

  /** What one connection brought in one pass has held its thread for 10 ms or more. */
  void onSlowPass();
}
