package dev.gannet.client;

/**
 * Is notified when a channel is built and when it ends. Each method is called once for each
 * channel, in this order:
 *
 * <pre>
 *  onBuilt ──► onTerminated
 * </pre>
 *
 * <p>If the channel cannot be built because {@code onBuilt} throws, {@link #onTerminated} follows
 * for all of its observers.
 *
 * <p>Called on the thread that builds or ends the channel, which may be an event loop; so no method
 * may block. Exceptions are logged, except for those of {@link #onBuilt}. For applications to
 * implement; new methods will have a default.
 */
public interface ChannelObserver {
  /**
   * The channel is built, and not yet connected. An observer may keep the {@link ObservedChannel}
   * until {@link #onTerminated}.
   *
   * @throws RuntimeException to prevent the channel from being built; {@link
   *     ManagedChannelBuilder#build} throws it
   */
  default void onBuilt(ObservedChannel channel) {}

  /**
   * The last connection is closed after a shutdown, or the channel was garbage-collected without
   * having been shut down.
   */
  default void onTerminated(ObservedChannel channel) {}
}
