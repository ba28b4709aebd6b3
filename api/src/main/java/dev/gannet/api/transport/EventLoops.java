package dev.gannet.api.transport;

import dev.gannet.api.engine.EngineParts;
import dev.gannet.api.engine.EventLoopsPart;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The threads that serve connections. Builders that get the same object share its threads, which
 * are started when they are needed. Safe for all threads.
 *
 * <p>By default all channels and servers share {@link #ofProcess}: one thread per processor. Use
 * separate loops if one part of a program must not wait for another part, or if a container has
 * more processors than the program should use.
 */
public final class EventLoops implements AutoCloseable {
  private static final EventLoops PROCESS =
      new EventLoops(Runtime.getRuntime().availableProcessors());

  private static final Object CLOSED = new Object();

  static {
    EngineParts.open(EventLoops.class, loops -> loops.part);
  }

  private final int threads;
  private final AtomicReference<@Nullable Object> part = new AtomicReference<>();

  private EventLoops(int threads) {
    this.threads = threads;
  }

  /** The default loops: one per processor. They cannot be closed. */
  public static EventLoops ofProcess() {
    return PROCESS;
  }

  /**
   * Creates separate loops.
   *
   * @param threads their number; each loop has one thread, and a connection stays on its loop
   * @throws IllegalArgumentException if that is not between 1 and 1024
   */
  public static EventLoops ofThreads(int threads) {
    if (threads < 1 || threads > 1024) {
      throw new IllegalArgumentException("the number of event loops must be 1 to 1024: " + threads);
    }
    return new EventLoops(threads);
  }

  /** The maximum number of threads of these loops. */
  public int threads() {
    return threads;
  }

  /**
   * Closes all connections of these loops and ends their threads; blocks until that is done, but
   * for 10 s at most if a handler or listener blocks a loop, which is logged. Close the channels
   * and servers first. Afterwards no channel or server can be built with these loops.
   *
   * @throws UnsupportedOperationException for {@link #ofProcess}
   * @throws IllegalStateException on a thread of an event loop
   */
  @Override
  public void close() {
    if (this == PROCESS) {
      throw new UnsupportedOperationException("the event loops of the process cannot be closed");
    }
    if (!part.compareAndSet(null, CLOSED) && part.get() instanceof EventLoopsPart loops) {
      loops.close();
      part.set(CLOSED);
    }
  }

  @Override
  public String toString() {
    return "EventLoops(" + threads + " threads)";
  }
}
