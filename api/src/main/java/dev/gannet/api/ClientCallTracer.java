package dev.gannet.api;

/**
 * Sees one call of a client, from its start to the status that its caller gets, and each of its
 * attempts. A channel creates one for every call that is started on it: {@code
 * ManagedChannelBuilder.addTracer}.
 *
 * <p>By default every method does nothing. Exceptions of a tracer are logged and do not affect the
 * call. For applications to implement; new methods will have a default.
 */
public interface ClientCallTracer {
  /** A tracer that sees nothing: the call is not traced, at no cost. */
  static ClientCallTracer none() {
    return NoTracer.INSTANCE;
  }

  /** Creates a tracer for each call. Safe for all threads. */
  @FunctionalInterface
  interface Factory {
    /**
     * The tracer of a call that is being started; called on the thread that starts it, after all
     * interceptors. If a handler makes the call, {@link CallContext#current} is the call that the
     * handler serves.
     */
    ClientCallTracer newTracer(Start call);
  }

  /** A call that is being started. Only implemented by Gannet; methods may be added. */
  interface Start {
    /** The called method. */
    MethodDescriptor<?, ?> method();

    /** The options of the call. */
    CallOptions options();

    /**
     * The target of the channel with its scheme, such as {@code dns:///greeter.example.com:50051}
     * for {@code greeter.example.com:50051} (the label {@code grpc.target} of gRFC A66).
     */
    String target();

    /**
     * The {@code :authority} that the call will send, unless the resolver has given its endpoint
     * another one: endpoints are picked later. {@link ClientStreamTracer.Opened#authority} is the
     * one that an attempt sends.
     */
    String authority();

    /**
     * The headers that every attempt will send. Until this method returns the tracer, fields may be
     * added and set. Fields of a single attempt belong in {@link ClientStreamTracer.Start#headers}.
     */
    Metadata headers();
  }

  /**
   * An attempt begins. Earlier ones have ended, except with a hedging policy: then attempts run in
   * parallel, and their tracers are called on different threads at the same time. Called on the
   * thread that starts the call, on the event loop of the connection that the call leaves, or on
   * the thread of a timer.
   */
  default ClientStreamTracer newAttempt(ClientStreamTracer.Start attempt) {
    return ClientStreamTracer.none();
  }

  /**
   * The call has ended, and its listener is notified next, on the same thread. Called exactly once,
   * after the end of the last attempt. The status may differ from that of the attempt: a response
   * that cannot be parsed, for example, fails the call but not the attempt.
   *
   * <p>If the end waits behind messages that nobody requests, it is reported when they are read, or
   * when the call is cancelled or its deadline passes.
   *
   * @param trailers those that the listener gets next; they must not be changed
   */
  default void onEnd(Status status, Metadata trailers) {}
}
