package dev.gannet.client.resolver;

import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Finds the endpoints of one target, for one channel. The channel calls these methods one at a
 * time, from any thread; they must not block, and may answer at once or later. {@link
 * Context#execute} and {@link Context#schedule} run tasks among these calls, {@link
 * Context#offload} runs work that blocks. None of them sees a current call ({@code
 * CallContext.current()}), even if a handler's thread causes the event: a call that a resolver
 * makes is not made for that handler.
 *
 * <p>{@link #start} and each {@link #refresh} must be answered by a call of {@link
 * Listener#onResult}; one call may answer several of them. A resolver that watches its source
 * repeats its last result. If no answer arrives within 30 seconds, the channel continues as if the
 * resolver had failed. A resolver may report further results whenever they change.
 *
 * <p>If a method or a task of a resolver throws, it has failed, too. For applications to implement;
 * new methods will have a default.
 */
public interface NameResolver {
  /** Starts to resolve. Called once, first. */
  void start(Listener listener);

  /**
   * Resolves again, because the last result may be out of date, for example when a connection was
   * lost. After each failure the channel calls this with a backoff, and not earlier, so that a
   * resolver need neither try again by itself nor limit how often it is asked then.
   */
  void refresh();

  /**
   * The channel does not use this result: it has no endpoints, or its service config is invalid.
   * Without endpoints, earlier ones are not used any more; the last service config remains. With an
   * invalid config and an earlier valid one, the channel uses the new endpoints and ignores only
   * the new config.
   *
   * @param why the reason
   */
  default void onRejected(Resolution result, Status why) {}

  /** Stops; later results are ignored. Called once, last. An exception is only logged. */
  void shutdown();

  /**
   * Receives the results of a resolver. Safe for all threads; never blocks for long, never throws.
   * Only implemented by Gannet; methods may be added.
   */
  interface Listener {
    /**
     * A result, which replaces all earlier ones. {@link NameResolver#onRejected} follows if the
     * channel cannot use it.
     */
    void onResult(Resolution result);
  }

  /**
   * Services that a channel provides for its resolver. Safe for all threads. Only implemented by
   * Gannet; methods may be added.
   */
  interface Context {
    /**
     * Runs a task that may block, soon, and not on an event loop. An exception that it throws is a
     * failure of the resolver, unless the resolver was shut down.
     *
     * @throws java.util.concurrent.RejectedExecutionException if no thread can be started
     */
    void offload(Runnable task);

    /**
     * Runs the task one at a time with the resolver's methods and its other tasks; it must not
     * block. It does not run after the resolver was shut down. So a resolver that changes its state
     * only in its methods and in such tasks needs no lock.
     */
    void execute(Runnable task);

    /**
     * Like {@link #execute}, after a delay. A very long delay, such as {@code
     * ChronoUnit.FOREVER.getDuration()}, means never. Closing the registration cancels the task;
     * the channel cancels all tasks when it shuts the resolver down.
     */
    Registration schedule(Runnable task, Duration delay);

    /**
     * Closes what the resolver has acquired, such as a watch of a registry, when the resolver has
     * been shut down; at once, on this thread, if it already was. So nothing is lost that was
     * acquired in the background while the channel became idle: a task of {@link #execute} no
     * longer runs then.
     *
     * <pre>{@code
     * context.offload(() -> {
     *   Watch opened = registry.watch(name, this::onChange); // blocks
     *   context.closeAtShutdown(opened);
     *   context.execute(() -> watch = Optional.of(opened));
     * });
     * }</pre>
     *
     * <p>It is closed once, after {@link NameResolver#shutdown}, and the newest first. Like that
     * method, this must not block: if the resource may, add {@code () ->
     * context.offload(resource::close)}. An exception is a failure of the resolver, or is only
     * logged if that was shut down.
     *
     * @return closes the resource earlier, for example because another one replaces it
     */
    Registration closeAtShutdown(AutoCloseable resource);

    /**
     * Writes an event into the channel's trace, with the resolver's scheme: people see it in {@code
     * ManagedChannel.snapshot().trace()}, and tools through channelz. The trace keeps the last 32
     * events of all kinds, so write what seldom happens. By default nothing is written.
     *
     * @param event a text for people; at most 200 characters of it are kept
     */
    default void trace(String event) {}

    /** The channel's clock, in nanoseconds. */
    long nanoTime();

    /**
     * Random numbers for a resolver's choices; in tests they may be repeatable. Safe for all
     * threads.
     */
    RandomGenerator random();

    /**
     * Keeps a value for later resolvers of this channel, in place of the key's earlier one. A
     * channel that becomes idle shuts its resolver down, and creates another one when it is used
     * again.
     */
    <T> void keep(Attributes.Key<T> key, T value);

    /**
     * The value that a resolver of this channel has {@linkplain #keep kept} last for the key; empty
     * if none has.
     */
    <T> Optional<T> kept(Attributes.Key<T> key);
  }
}
