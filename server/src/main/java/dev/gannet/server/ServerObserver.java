package dev.gannet.server;

/**
 * Is notified when a server starts and ends. Each method is called once for each server, in this
 * order:
 *
 * <pre>
 *  onStart ──► onShutdown ──shutdown delay──► onDrain ──last connection closed──► onTerminated
 * </pre>
 *
 * <p>If the server cannot start, because {@code onStart} throws or because it cannot listen on one
 * of its addresses, only {@link #onTerminated} follows.
 *
 * <p>Called on the thread that starts or ends the server, which may be an event loop; so no method
 * may block. Exceptions are logged, except for those of {@link #onStart}. For applications to
 * implement; new methods will have a default.
 */
public interface ServerObserver {
  /**
   * The server is built and will listen next. It has no port yet.
   *
   * @throws RuntimeException to prevent the server from starting; {@link ServerBuilder#start}
   *     throws it
   */
  default void onStart(Server server) {}

  /**
   * The shutdown of the server has begun. The server still accepts connections and calls during the
   * {@link ServerBuilder#shutdownDelay}.
   */
  default void onShutdown(Server server) {}

  /**
   * The server accepts no more connections, and no more calls as soon as its clients know that.
   * Running calls continue: endless streams should end now.
   */
  default void onDrain(Server server) {}

  /** The last connection is closed and the addresses are free, or the server could not start. */
  default void onTerminated(Server server) {}
}
