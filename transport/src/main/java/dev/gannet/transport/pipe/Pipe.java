package dev.gannet.transport.pipe;

import dev.gannet.http2.ByteSink;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.WorkBudget;

/**
 * A stream of bytes each way, with an event loop of its own or shared. All methods but {@link
 * #execute} and {@link #inLoop} are for that loop's thread alone.
 */
public interface Pipe extends ByteSink {
  /** Lets what was written into the sink go to the wire. */
  void flush();

  /** What was flushed and has not left yet, in bytes, as far as the pipe knows. */
  long unsentBytes();

  /**
   * Closes once everything flushed is on the wire, or the peer has taken nothing of it for long;
   * {@code onClosed} tells when it is done.
   */
  void close();

  /**
   * As {@link #close}, for a peer that is owed no patience: one that does not read may hold the
   * pipe for a moment only. By default, the same.
   */
  default void closeSoon() {
    close();
  }

  /**
   * Stops showing what arrives, or goes on. What was on its way through the pipe may still be shown
   * after a stop.
   */
  void setReading(boolean reading);

  /** Runs the task on the loop, soon. Any thread. */
  void execute(Runnable task);

  /**
   * Runs the task on the loop once what has arrived for other pipes meanwhile had its turn: for
   * work that goes on in parts. By default as {@link #execute}, for loops on which that is so
   * anyway.
   */
  default void executeInTurn(Runnable task) {
    execute(task);
  }

  /** Whether the calling thread is the loop. */
  boolean inLoop();

  /** Asks for {@code onWake} at that time; an earlier wish stays, a later one is forgotten. */
  void wakeAt(long nanos);

  /**
   * Asks the system to give the connection up once something that was sent has not been
   * acknowledged by the peer's system for so long (TCP_USER_TIMEOUT). A wish: by default, nothing
   * happens.
   */
  default void acknowledgedWithin(long nanos) {}

  /** When the way to the peer was open, before any TLS; by the loop's clock. */
  long openedNanos();

  /** The loop's clock, in nanoseconds of the same origin as {@link PipeProvider#nanoTime}. */
  long nanoTime();

  /**
   * The pauses of the loop up to now. By default there are none, for loops that cannot tell.
   *
   * @param nowNanos the time by {@link #nanoTime}
   */
  default LoopPauses pauses(long nowNanos) {
    return LoopPauses.NONE;
  }

  ConnectionInfo info();

  /**
   * How much work the connections may ask for together that have this pipe's clock, unless they are
   * told otherwise; by default that of the process.
   */
  default WorkBudget work() {
    return WorkBudget.ofProcess();
  }

  /**
   * Whether the server at the other end has shown that it may be asked for what that authority has,
   * where servers have to show who they are. For clients; by default none has over TLS.
   *
   * @param authority as it stands in {@code :authority}
   */
  default boolean isCertifiedFor(String authority) {
    return info().tls().isEmpty();
  }
}
