package dev.gannet.suites;

import java.util.concurrent.RejectedExecutionException;

/** Decides which of the operations that can fail do fail. */
interface Faults {
  /** What can fail on a real machine. */
  enum Operation {
    /** Memory for what must be written. */
    MEMORY,
    /** A write to the socket. */
    FLUSH,
    /** A task for the event loop of a pipe. */
    EXECUTE,
    /** A scheduled task. */
    SCHEDULE,
    /** A task outside the loops. */
    OFFLOAD,
    /** A task for an executor of the user. */
    SUBMIT,
    /** The event loop itself, while it passes an event to a pipe: all its connections end. */
    LOOP
  }

  /** A text by which exceptions of simulated faults are recognized. */
  String SIMULATED = "simulated";

  /** Nothing fails. */
  Faults NONE = operation -> false;

  /** Whether this operation fails. */
  boolean strike(Operation operation);

  /** What a failing {@link Operation#MEMORY} throws. */
  static OutOfMemoryError wantOfMemory() {
    return new OutOfMemoryError(SIMULATED);
  }

  /** What an executor or loop throws if taking a task fails. */
  static RejectedExecutionException refusal() {
    return new RejectedExecutionException(SIMULATED);
  }

  /** Whether this was thrown by a simulated fault; everything else is a fault of the engine. */
  static boolean isSimulated(Throwable thrown) {
    return SIMULATED.equals(thrown.getMessage());
  }
}
