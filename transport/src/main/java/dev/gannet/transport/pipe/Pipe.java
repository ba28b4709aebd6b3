package dev.gannet.transport.pipe;

import dev.gannet.api.Deadline;
import dev.gannet.http2.ByteSink;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.memory.WorkRateLimiter;
import java.util.function.LongSupplier;

/**
 * A stream of bytes in each direction, with an event loop that it may share with other pipes. All
 * methods except {@link #execute} and {@link #inLoop} may be called only on that loop's thread.
 *
 * <p>After the end of a pipe all methods may still be called and do nothing: what is written is
 * dropped, and no requested time is reported.
 */
public interface Pipe extends ByteSink {
  /** Sends what was written into the sink. */
  void flush();

  /** The bytes that were flushed and not sent yet, as far as the pipe knows. */
  long unsentBytes();

  /**
   * Closes once everything flushed is sent, or after the peer has read none of it for a long time;
   * then {@code onClosed} is called: not before this returns.
   */
  void close();

  /**
   * Like {@link #close}, but a peer that does not read delays this only for a moment. By default
   * the same as {@code close}.
   */
  default void closeSoon() {
    close();
  }

  /**
   * Stops or resumes delivering what arrives. Bytes that were already on their way through the pipe
   * may still be delivered after a stop.
   */
  void setReading(boolean reading);

  /** Runs the task on the loop, soon. Any thread. */
  void execute(Runnable task);

  /**
   * Runs the task on the loop after other pipes have had their turn with what arrived meanwhile;
   * for work that is done in parts. By default as {@link #execute}, for loops that do so anyway.
   */
  default void executeInTurn(Runnable task) {
    execute(task);
  }

  /** Whether the calling thread is the loop's. */
  boolean inLoop();

  /** Requests {@code onWake} at that time; an earlier request stays, a later one is forgotten. */
  void wakeAt(long nanos);

  /**
   * Asks the operating system to close the connection if something that was sent is not
   * acknowledged by the peer's system for this long (TCP_USER_TIMEOUT). Optional: by default
   * nothing happens.
   */
  default void acknowledgedWithin(long nanos) {}

  /**
   * When the connection to the peer was established, before any TLS handshake; by the loop's clock.
   */
  long openedNanos();

  /** The loop's clock, in nanoseconds, with the same origin as {@link PipeProvider#scheduler}. */
  long nanoTime();

  /**
   * {@link #nanoTime} for any thread. By default an object of this pipe alone; a pipe that uses the
   * system's clock returns {@link Deadline#systemTicker}, so that deadlines need no conversion.
   */
  default LongSupplier clock() {
    return this::nanoTime;
  }

  /**
   * The pauses of the loop until now. By default none, for loops that do not measure them.
   *
   * @param nowNanos the time by {@link #nanoTime}
   */
  default LoopPauses pauses(long nowNanos) {
    return LoopPauses.NONE;
  }

  ConnectionInfo info();

  /**
   * The work budget of the connections that use this pipe's clock, unless they are given another
   * one; by default that of the process.
   */
  default WorkRateLimiter work() {
    return WorkRateLimiter.ofProcess();
  }

  /**
   * Whether the server at the other end has proved its identity for that authority, where servers
   * must prove it. For clients; by default no server has proved anything over TLS.
   *
   * @param authority the value of {@code :authority}
   */
  default boolean isCertifiedFor(String authority) {
    return info().tls().isEmpty();
  }
}
