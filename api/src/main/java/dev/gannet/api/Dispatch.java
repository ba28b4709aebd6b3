package dev.gannet.api;

import java.util.Objects;
import java.util.concurrent.Executor;

/** Where handlers run. Set per server, and optionally per method. Cases may be added. */
public sealed interface Dispatch {
  /**
   * Each call runs on a virtual thread, where it may block. The default.
   *
   * <p>A call never waits for another one that blocks.
   *
   * <p><b>The thread is not a new one for each call.</b> It may run handlers of several calls, of
   * different clients, one after the other, and keeps the thread-locals that a handler has left: a
   * forgotten entry of an MDC or a tenant shows up in the next caller's request. Remove what was
   * set in a {@code finally} block, or use {@link CallContext#setValue}, which is a value of the
   * call. Interrupts and the context class loader are reset between calls. {@link
   * NewVirtualThreads} has a new thread for each call.
   *
   * <p>The handler of a cancelled call is interrupted.
   *
   * <p>Before JDK 24 a virtual thread that blocks inside {@code synchronized}, or in native code,
   * pins its carrier thread, and there are only as many carriers as processors. Handlers that spend
   * their time in such code, for example older database drivers, should run on other threads with
   * {@link On}.
   */
  final class VirtualThreads implements Dispatch {
    private static final VirtualThreads INSTANCE = new VirtualThreads();

    private VirtualThreads() {}

    @Override
    public String toString() {
      return "VirtualThreads";
    }
  }

  /**
   * Each call runs on a virtual thread that no other call has used: it finds no thread-locals of
   * other calls. Everything else is as with {@link VirtualThreads}: handlers may block, and the
   * handler of a cancelled call is interrupted.
   *
   * <p>For handlers, or libraries that they use, which keep a tenant or a security context in a
   * thread-local, and may forget to remove it. A short call costs more, by the start of a thread.
   *
   * <p>A blocking method runs on one thread. The events of other handlers may come on several
   * threads, one after the other, each of which is new: what such a handler keeps from one event to
   * the next belongs in a field or in {@link CallContext#setValue}.
   */
  final class NewVirtualThreads implements Dispatch {
    private static final NewVirtualThreads INSTANCE = new NewVirtualThreads();

    private NewVirtualThreads() {}

    @Override
    public String toString() {
      return "NewVirtualThreads";
    }
  }

  /**
   * Calls run on the event loop of the connection: there is no thread change, but a handler that
   * blocks stops all other calls of the loop. For handlers that finish within microseconds.
   *
   * <p>Blocking methods with a stream wait for their peer, which is not possible on a loop: they
   * run on virtual threads in any case.
   *
   * <p>Slow handlers are detected. A method that repeatedly blocks the loop for 10 ms is named in a
   * warning, and its calls run on virtual threads for a minute. The rest of a call with a message
   * of more than 2 MiB, or of more than 64 KiB after decompression, is also moved, without a
   * warning.
   *
   * <p>In-process connections have no loop: handlers run on the threads of their callers, and
   * {@link ServerCall#request} may deliver a message that has arrived before it returns.
   */
  final class Inline implements Dispatch {
    private static final Inline INSTANCE = new Inline();

    private Inline() {}

    @Override
    public String toString() {
      return "Inline";
    }
  }

  /**
   * Each call runs on the given executor, on at most one thread at a time. Threads are not
   * interrupted when a call is cancelled, because they may already be doing something else.
   *
   * <p>A blocking method runs in one task of the executor; the events of other handlers may come in
   * several tasks, on different threads. The server does not shut the executor down.
   */
  final class On implements Dispatch {
    private final Executor executor;

    private On(Executor executor) {
      this.executor = executor;
    }

    /** The executor with which {@link Dispatch#on} was called. */
    public Executor executor() {
      return executor;
    }

    @Override
    public String toString() {
      return "On[" + executor + "]";
    }
  }

  /** Handlers run on virtual threads of the server: {@link VirtualThreads}, the default. */
  static Dispatch virtualThreads() {
    return VirtualThreads.INSTANCE;
  }

  /** The handler of each call runs on a new virtual thread: {@link NewVirtualThreads}. */
  static Dispatch newVirtualThreads() {
    return NewVirtualThreads.INSTANCE;
  }

  /** Handlers run on the event loop of their connection: {@link Inline}. */
  static Dispatch inline() {
    return Inline.INSTANCE;
  }

  /** Handlers run on this executor: {@link On}. */
  static Dispatch on(Executor executor) {
    return new On(Objects.requireNonNull(executor, "executor"));
  }
}
