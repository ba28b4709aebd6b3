package dev.gannet.testing;

import dev.gannet.api.ForwardingServerCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The running handlers of a test's servers, with their threads. */
final class RunningHandlers implements ServerInterceptor {
  private record Running(String method, Thread thread) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition returned = lock.newCondition();
  private final List<Running> running = new ArrayList<>();

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    String method = call.method().fullMethodName();
    List<ServerCall.Listener<Q>> listener = new ArrayList<>(1);
    run(method, () -> listener.add(next.startCall(call, headers)));
    return new Watched<>(listener.getFirst(), method);
  }

  private void run(String method, Runnable handler) {
    Running now = new Running(method, Thread.currentThread());
    lock.lock();
    try {
      running.add(now);
    } finally {
      lock.unlock();
    }
    try {
      handler.run();
    } finally {
      lock.lock();
      try {
        running.remove(now);
        returned.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Waits until all handlers have returned; for those that are still running after this time,
   * returns where they are.
   */
  List<Throwable> awaitReturns(Duration atMost) throws InterruptedException {
    long leftNanos = TimeUnit.NANOSECONDS.convert(atMost);
    lock.lock();
    try {
      while (!running.isEmpty() && leftNanos > 0) {
        leftNanos = returned.awaitNanos(leftNanos);
      }
      return running.stream().distinct().map(RunningHandlers::place).toList();
    } finally {
      lock.unlock();
    }
  }

  private static Throwable place(Running handler) {
    Throwable place =
        new OpenedHere(
            "the handler of "
                + handler.method()
                + " has not returned although its server is shut down and its thread ("
                + handler.thread()
                + ") was interrupted; its stack trace");
    place.setStackTrace(handler.thread().getStackTrace());
    return place;
  }

  /** Blocking methods run inside these events. */
  private final class Watched<Q> extends ForwardingServerCallListener<Q> {
    private final String method;

    Watched(ServerCall.Listener<Q> delegate, String method) {
      super(delegate);
      this.method = method;
    }

    @Override
    public void onReady() {
      run(method, super::onReady);
    }

    @Override
    public void onMessage(Q message) {
      run(method, () -> super.onMessage(message));
    }

    @Override
    public void onHalfClose() {
      run(method, super::onHalfClose);
    }

    @Override
    public void onCancel() {
      run(method, super::onCancel);
    }

    @Override
    public void onComplete() {
      run(method, super::onComplete);
    }
  }
}
