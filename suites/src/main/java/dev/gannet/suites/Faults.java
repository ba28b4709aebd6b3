package dev.gannet.suites;

import java.util.concurrent.RejectedExecutionException;

/** Decides which of the operations that can fail do fail. */
interface Faults {
  /** What can fail on a real machine. */
  enum Operation {
    /** Memory for what is to be written. */
    ROOM,
    /** A write to the socket. */
    FLUSH,
    /** A task for the event loop of a pipe. */
    EXECUTE,
    /** A task for later. */
    SCHEDULE,
    /** A task away from the loops. */
    OFFLOAD,
    /** A task for an executor of the user's. */
    SUBMIT,
    /** The event loop itself, while it shows something to a pipe: all its connections end. */
    LOOP
  }

  /** How exceptions that are thrown because of this are known again. */
  String SIMULATED = "simulated";

  /** Nothing fails. */
  Faults NONE = operation -> false;

  /** Whether this one fails. */
  boolean strike(Operation operation);

  /** What {@link Operation#ROOM} throws where it is struck. */
  static OutOfMemoryError wantOfMemory() {
    return new OutOfMemoryError(SIMULATED);
  }

  /** What throws whoever should take a task and is struck. */
  static RejectedExecutionException refusal() {
    return new RejectedExecutionException(SIMULATED);
  }

  /** Whether this was thrown because something was struck; all else is a fault of the engine. */
  static boolean isSimulated(Throwable thrown) {
    return SIMULATED.equals(thrown.getMessage());
  }
}
