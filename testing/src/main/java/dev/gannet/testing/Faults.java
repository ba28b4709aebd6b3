package dev.gannet.testing;

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
    SUBMIT
  }

  /** Nothing fails. */
  Faults NONE = operation -> false;

  /** Whether this one fails. */
  boolean strike(Operation operation);
}
