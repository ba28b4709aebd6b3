package dev.gannet.client.resolver;

import java.time.Duration;

/**
 * Finds the endpoints of one target, for one channel. The channel calls these methods one at a
 * time, from any thread; they must not block, and may answer at once or later.
 *
 * <p>{@link #start} and each {@link #refresh} must be answered by a call of {@link
 * Listener#onResult}; one call may answer several of them. A resolver that watches its source
 * repeats its last result. If no answer arrives within 30 seconds, the channel continues as if the
 * resolver had failed. A resolver may report further results whenever they change.
 *
 * <p>If a resolver throws, it has failed, too. For applications to implement; new methods will have
 * a default.
 */
public interface NameResolver {
  /** Starts to resolve. Called once, first. */
  void start(Listener listener);

  /**
   * Resolves again, because the last result may be out of date, for example before a connection is
   * made.
   */
  void refresh();

  /** Stops; later results are ignored. Called once, last. */
  void shutdown();

  /**
   * Receives the results of a resolver. Safe for all threads; never blocks for long, never throws.
   * Only implemented by Gannet; methods may be added.
   */
  interface Listener {
    /** A result, which replaces all earlier ones. */
    void onResult(Resolution result);
  }

  /**
   * Services that a channel provides for its resolver. Safe for all threads. Only implemented by
   * Gannet; methods may be added.
   */
  interface Context {
    /**
     * Runs a task that may block, soon, and not on an event loop.
     *
     * @throws java.util.concurrent.RejectedExecutionException if no thread can be started
     */
    void offload(Runnable task);

    /**
     * Runs a task that does not block after a delay, on some event loop. A very long delay, such as
     * {@code ChronoUnit.FOREVER.getDuration()}, means never.
     */
    Timer schedule(Runnable task, Duration delay);
  }
}
