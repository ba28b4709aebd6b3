package dev.gannet.api;

import java.util.concurrent.Executor;

/** Where handlers run. Chosen per server, and per method where a method says so itself. */
public sealed interface Dispatch {
  /**
   * Each call on a virtual thread, where it may block as it likes. The default.
   *
   * <p>No call waits for one that blocks. But a thread may serve one call after the other, so a
   * handler should leave no thread-locals behind; for a fresh thread for each call, give {@link On}
   * an executor of such threads.
   *
   * <p>A handler whose call is cancelled is interrupted.
   *
   * <p>Before JDK 24 a virtual thread that blocks inside {@code synchronized}, or in native code,
   * keeps its carrier, of which there are as many as processors: handlers that spend their time in
   * such code, older database drivers say, belong on threads of their own, by {@link On}.
   */
  record VirtualThreads() implements Dispatch {}

  /**
   * On the event loop of the connection: no hand-over at all, but a handler that blocks stops every
   * call beside it. For handlers that are done in microseconds.
   *
   * <p>Plain methods that read or write a stream wait for their peer, which a loop must not: they
   * run on virtual threads all the same.
   *
   * <p>Handlers that take longer are found out. A method that holds the loop for 10 ms, and not
   * just once, is named in a warning, and its calls run on virtual threads for a minute. So does,
   * without a word, the rest of a call with a message of more than 2 MiB.
   */
  record Inline() implements Dispatch {}

  /**
   * Each call on the given executor, at most one thread per call at a time. Its threads are not
   * interrupted when a call is cancelled: they may be doing something else by then.
   */
  record On(Executor executor) implements Dispatch {}

  static Dispatch virtualThreads() {
    return new VirtualThreads();
  }

  static Dispatch inline() {
    return new Inline();
  }

  static Dispatch on(Executor executor) {
    return new On(executor);
  }
}
