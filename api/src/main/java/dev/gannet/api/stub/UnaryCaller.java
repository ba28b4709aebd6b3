package dev.gannet.api.stub;

import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.api.engine.StubListener;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits for one response: the call's listener, and an executor that runs it on the
 * waiting thread itself.
 */
final class UnaryCaller<R> implements ClientCall.Listener<R>, StubListener, Executor {
  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicReferenceFieldUpdater<UnaryCaller, @Nullable Runnable> TASK =
      AtomicReferenceFieldUpdater.newUpdater(UnaryCaller.class, Runnable.class, "task");

  @SuppressWarnings("rawtypes") // see above
  private static final AtomicReferenceFieldUpdater<UnaryCaller, @Nullable Queue> OTHERS =
      AtomicReferenceFieldUpdater.newUpdater(UnaryCaller.class, Queue.class, "others");

  private final Thread caller = Thread.currentThread();
  private final MethodDescriptor<?, R> method;

  /** A task for this thread: the inbox of a call has at most one. */
  private volatile @Nullable Runnable task;

  /**
   * Tasks that arrived while there was one, and all later ones: interceptors have their own tasks.
   */
  private volatile @Nullable Queue<Runnable> others;

  private @Nullable R response;
  private @Nullable Metadata headers;
  private @Nullable Metadata trailers;
  private volatile @Nullable Status status;
  private volatile boolean abandoned;

  UnaryCaller(MethodDescriptor<?, R> method) {
    this.method = method;
  }

  @Override
  public void execute(Runnable task) {
    add(task);
    EventLoopThread.unpark(caller);
    if (abandoned) {
      Thread.startVirtualThread(this::runArrived);
    }
  }

  private void add(Runnable added) {
    if (others != null || !TASK.compareAndSet(this, null, added)) {
      OTHERS.compareAndSet(this, null, new ConcurrentLinkedQueue<Runnable>());
      Objects.requireNonNull(others).add(added);
    }
  }

  /**
   * Removes the next task; null if there is none. The queue is read first: if it exists, a task
   * that arrived before those in it is already visible. In the other order, two tasks that arrive
   * in between would run in the wrong order.
   */
  private @Nullable Runnable next() {
    Queue<Runnable> further = others;
    Runnable first = task == null ? null : TASK.getAndSet(this, null);
    if (first != null) {
      return first;
    }
    return further == null ? null : further.poll();
  }

  private boolean hasNews() {
    return task != null || others != null || status != null;
  }

  /** The thread no longer waits, but listeners must still learn of the call's end. */
  void abandon() {
    abandoned = true;
    runArrived();
  }

  private void runArrived() {
    for (Runnable next = next(); next != null; next = next()) {
      try {
        next.run();
      } catch (Throwable e) {
        // The call has logged it, and its caller has got another exception.
      }
    }
  }

  @Override
  public void onHeaders(Metadata headers) {
    if (status == null) {
      this.headers = headers;
    }
  }

  @Override
  public void onMessage(R message) {
    if (status == null) {
      response = message;
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (this.status != null) { // an interceptor has reported an end before
      return;
    }
    this.trailers = trailers;
    this.status = status;
    if (!caller.equals(Thread.currentThread())) { // interceptors may end calls on any thread
      LockSupport.unpark(caller);
    }
  }

  /**
   * Runs the call's events on this thread until its end.
   *
   * @throws StatusException if the call failed
   */
  void await(ClientCall<?, R> call) {
    boolean interrupted = false;
    ShortWait.SHARED.await(this::hasNews);
    try {
      while (status == null) {
        Runnable next = next();
        if (next != null) {
          next.run();
        } else {
          LockSupport.park(this);
          if (Thread.interrupted()) {
            interrupted = true;
            call.cancel("the calling thread was interrupted", new InterruptedException());
          }
        }
      }
    } finally {
      abandon(); // an interceptor may have reported the end before
      if (interrupted) { // also if a listener throws
        caller.interrupt();
      }
    }
    if (!status.isOk()) {
      throw failed(status);
    }
    if (response == null) { // an interceptor has dropped it, or has created the end
      throw failed(
          Status.INTERNAL.withDescription(
              "the call ended with OK, and no response reached the caller (did an interceptor drop"
                  + " it?)"));
    }
  }

  private StatusException failed(Status how) {
    return StatusException.ofCall(method, how, headers(), trailers());
  }

  R message() {
    return Objects.requireNonNull(response, "response");
  }

  Metadata headers() {
    return headers == null ? new Metadata() : headers;
  }

  Metadata trailers() {
    return trailers == null ? new Metadata() : trailers;
  }
}
