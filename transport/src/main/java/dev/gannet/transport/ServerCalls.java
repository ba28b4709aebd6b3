package dev.gannet.transport;

import dev.gannet.api.ServerMethodDefinition;
import java.util.Optional;

/**
 * What a server's transports ask the server for; on the connections' threads, so it must not block.
 */
public interface ServerCalls {
  /**
   * The method of that path, {@code /package.Service/Method} to the letter. A connection keeps the
   * answer, also that there is none: so only methods that neither come nor go are found here.
   */
  Optional<ServerMethodDefinition<?, ?>> find(String path);

  /**
   * Takes a call of a method that was found, and says where its events go. The transport flushes
   * them at once, for streaming handlers begin with the headers. Where the client sends one
   * message, the transport lets no second one through.
   */
  <Q, R> CallEvents begin(ServerMethodDefinition<Q, R> method, ServerStream<R> stream);

  /** Says of {@link #maxCallNanos} that calls may last as long as their clients like. */
  long NO_LIMIT = Long.MAX_VALUE;

  /** How long a call may last, whatever its client says. */
  default long maxCallNanos() {
    return NO_LIMIT;
  }

  /** The longest request message taken, after decompression, in bytes. */
  int maxInboundMessageBytes();

  /** What one connection brought in one pass has held its thread for 10 ms or more. */
  void onSlowPass();
}
