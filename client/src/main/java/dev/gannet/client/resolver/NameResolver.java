package dev.gannet.client.resolver;

import java.time.Duration;

/**
 * Finds the endpoints behind one target, for one channel. The channel calls these methods one at a
 * time, from any thread; they must not block, and may answer at once or later.
 *
 * <p>{@link #start} and each {@link #refresh} want an answer, which is one call of {@link
 * Listener#onResult}; it may answer several of them. A resolver that watches its source repeats
 * what it knows. If none comes within 30 seconds, the channel goes on as if the resolver had
 * failed. A resolver may give further results whenever they change.
 *
 * <p>A resolver that throws has failed, too.
 */
public interface NameResolver {
  /** Begins to resolve. Called once, before everything else. */
  void start(Listener listener);

  /** Resolves again: what is known may be out of date, such as before a connection is made. */
  void refresh();

  /** Stops; results are ignored from here on. Called once and last. */
  void shutdown();

  /** Whom a resolver tells. Safe for all threads; never blocks for long, never throws. */
  interface Listener {
    /** What was found, in place of all earlier results. */
    void onResult(Resolution result);
  }

  /** What a channel lends to its resolver. Safe for all threads. */
  interface Context {
    /**
     * Runs a task that may block, soon, away from all event loops.
     *
     * @throws java.util.concurrent.RejectedExecutionException if no thread can be had
     */
    void offload(Runnable task);

    /** Runs a task that does not block so much later, on some event loop. */
    Timer schedule(Runnable task, Duration delay);
  }
}
