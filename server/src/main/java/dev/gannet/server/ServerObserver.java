package dev.gannet.server;

/**
 * Hears how a server starts and ends. Each method is called once for each server, in this order:
 *
 * <pre>
 *   onStart ──► onShutdown ──shutdown delay──► onDrain ──last connection closed──► onTerminated
 * </pre>
 *
 * <p>Where the server cannot listen after all, the last three follow at once.
 *
 * <p>Called on the thread that starts or ends the server, which may be an event loop; so nothing
 * here may block. What a method throws is logged, but for {@link #onStart}.
 */
public interface ServerObserver {
  /**
   * The server is built and listens soon. It has no port yet.
   *
   * @throws RuntimeException so that the server does not start; {@link ServerBuilder#start} throws
   *     it
   */
  default void onStart(Server server) {}

  /**
   * The server was told to shut down. It still takes connections and calls for as long as {@link
   * ServerBuilder#shutdownDelay} says.
   */
  default void onShutdown(Server server) {}

  /**
   * The server takes no more connections, and no more calls once its clients know that. Calls under
   * way go on: streams that would go on for ever should end now.
   */
  default void onDrain(Server server) {}

  /** The last connection is closed. */
  default void onTerminated(Server server) {}
}
