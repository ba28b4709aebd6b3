package dev.gannet.api;

/**
 * Sees one call of a client, from its start to the status that its caller is told, and each attempt
 * that is made for it. A channel makes one for every call that is started on it: {@code
 * ManagedChannelBuilder.tracer}.
 *
 * <p>Every method does nothing unless it is overridden, and more may be added. What a tracer throws
 * is logged, and changes nothing for the call.
 */
public interface ClientCallTracer {
  /** A tracer that sees nothing: the call is not traced, and costs nothing more. */
  static ClientCallTracer none() {
    return NoTracer.INSTANCE;
  }

  /** Makes a tracer for each call. Safe for all threads. */
  interface Factory {
    /**
     * The tracer of a call that starts now; on the thread that starts it, behind all interceptors.
     * {@link CallContext#current} is the call that this one is made for.
     */
    ClientCallTracer newTracer(Start call);
  }

  /** A call that starts. Implemented by Gannet alone; methods may be added. */
  interface Start {
    /** What is called. */
    MethodDescriptor<?, ?> method();

    /** What the caller wants of the call. */
    CallOptions options();

    /** What the call will send as {@code :authority}. */
    String authority();

    /**
     * What every attempt will send. Until the tracer is returned, fields may be added and set;
     * those of one attempt alone belong into {@link ClientStreamTracer.Start#headers}.
     */
    Metadata headers();
  }

  /**
   * An attempt begins; the one before it has ended. On the thread that starts the call, or on the
   * event loop of the connection that the call leaves.
   */
  default ClientStreamTracer newAttempt(ClientStreamTracer.Start attempt) {
    return ClientStreamTracer.none();
  }

  /**
   * The call has ended, and its listener is told of it next, on the same thread. Exactly once, and
   * behind the end of the last attempt. The status may be another than that of the attempt: a
   * response that cannot be parsed, for example, fails the call and not the attempt.
   *
   * <p>An end that waits behind messages which nobody asks for is told when they are read, or when
   * the call is cancelled or its deadline passes.
   */
  default void onEnd(Status status, Metadata trailers) {}
}
