package dev.gannet.transport.inprocess;

import dev.gannet.api.Status;
import dev.gannet.transport.Scheduler;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the number of concurrent calls of a connection; further calls wait in order. Safe for all
 * threads.
 *
 * <p>Write-then-check: a waiting call joins the queue, then looks for a permit; a thread that
 * returns a permit looks at the queue afterwards.
 */
final class CallPermits {
  private final int most;
  private final AtomicInteger free;
  private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();

  private final Scheduler scheduler;

  /** A call in the queue. */
  private record Waiting(InProcessServerStream<?, ?> call, long sinceNanos) {}

  CallPermits(int most, Scheduler scheduler) {
    this.most = most;
    this.free = new AtomicInteger(most);
    this.scheduler = scheduler;
  }

  /** The number of calls that may have a permit at a time. */
  int most() {
    return most;
  }

  /**
   * Starts the call now, or when there is a permit; a call that has ended by then is never started.
   */
  void begin(InProcessServerStream<?, ?> call) {
    if (waiting.isEmpty() && take()) {
      call.beginWithPermit();
      return;
    }
    call.onWaiting();
    Waiting joining = new Waiting(call, scheduler.nanoTime());
    // write-then-check with giveBack: joined first, then a permit; and with the end of the call,
    // which removes it: joined first, then its state
    waiting.add(joining);
    if (call.isClientOver() && waiting.remove(joining)) {
      call.abandon();
      return;
    }
    beginWaiting();
  }

  /**
   * A started call has ended. The next call may be answered while it begins, and then returns its
   * permit in the same way, and so on: after some levels another thread starts the waiting calls.
   */
  void giveBack() {
    free.incrementAndGet(); // write-then-check with begin: the permit first, then the queue
    if (waiting.isEmpty()) {
      return;
    }
    NestingLimit nesting = NestingLimit.ofThread();
    if (!nesting.enter()) {
      scheduler.offload(this::beginWaiting);
      return;
    }
    try {
      beginWaiting();
    } finally {
      nesting.leave();
    }
  }

  /**
   * The call no longer waits; returns since when it was waiting, in which case it now belongs to
   * the caller, and otherwise empty.
   */
  OptionalLong forget(InProcessServerStream<?, ?> call) {
    Optional<Waiting> found = waiting.stream().filter(one -> one.call().equals(call)).findFirst();
    return found.isPresent() && waiting.remove(found.get())
        ? OptionalLong.of(found.get().sinceNanos())
        : OptionalLong.empty();
  }

  /**
   * Lets a call wait again that {@link #forget} has given to the caller, since the same time,
   * behind those that wait. Calls that leave and come back one by one stay in their order.
   */
  void waitAgain(InProcessServerStream<?, ?> call, long sinceNanos) {
    waiting.add(new Waiting(call, sinceNanos)); // write-then-check with giveBack, as in begin
    beginWaiting();
  }

  /** The calls that wait, in their order. */
  List<InProcessServerStream<?, ?>> waitingCalls() {
    return waiting.stream().<InProcessServerStream<?, ?>>map(Waiting::call).toList();
  }

  /** The calls that wait are not served here, for this reason. */
  void leaveUnserved(Status why) {
    for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
      next.call().onWaited(next.sinceNanos());
      next.call().leaveUnserved(why);
    }
  }

  /** How many calls wait; takes time in proportion to their number. */
  int callsWaiting() {
    return waiting.size();
  }

  private void beginWaiting() {
    while (!waiting.isEmpty() && take()) {
      Waiting next = waiting.poll();
      if (next == null) {
        free.incrementAndGet(); // another thread took the call; as in giveBack
      } else {
        next.call().onWaited(next.sinceNanos());
        next.call().beginWithPermit();
      }
    }
  }

  private boolean take() {
    int now = free.get();
    while (now > 0) {
      if (free.compareAndSet(now, now - 1)) {
        return true;
      }
      now = free.get();
    }
    return false;
  }
}
