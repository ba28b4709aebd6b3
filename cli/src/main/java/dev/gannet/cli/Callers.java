package dev.gannet.cli;

import dev.gannet.cli.greeter.GreeterClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Concurrent callers, each on a virtual thread of its own, which make blocking calls of one kind
 * one after another. A caller stops at its first failed call.
 */
record Callers(GreeterClient greeter, int count) {
  /** How long the last calls may take before their callers are told to stop. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  /** Makes calls of this kind until the time is over, and returns the results. */
  Tally work(CallKind kind, Duration duration) throws InterruptedException {
    long endNanos = System.nanoTime() + duration.toNanos();
    List<Callable<Tally>> callers = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      String name = "caller " + i;
      callers.add(() -> callUntil(endNanos, kind, name));
    }
    // Not closed: that would wait for a caller that hangs; its threads do not outlive the JVM.
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    Tally all = new Tally();
    long longestNanos = duration.plus(GRACE).toNanos();
    for (var caller : threads.invokeAll(callers, longestNanos, TimeUnit.NANOSECONDS)) {
      all.add(resultOf(caller));
    }
    threads.shutdownNow();
    return all;
  }

  private Tally callUntil(long endNanos, CallKind kind, String name) {
    Tally tally = new Tally();
    boolean right = true;
    for (int turn = 1; right && System.nanoTime() - endNanos < 0; turn++) {
      right = callOnce(kind, name + ", turn " + turn, tally);
    }
    return tally;
  }

  private boolean callOnce(CallKind kind, String name, Tally tally) {
    long beginNanos = System.nanoTime();
    try {
      kind.call(greeter, name);
    } catch (RuntimeException e) {
      tally.wrong(kind.label() + " of " + name + ": " + e);
      return false;
    }
    tally.right(System.nanoTime() - beginNanos);
    return true;
  }

  private static Tally resultOf(Future<Tally> caller) throws InterruptedException {
    Tally lost = new Tally();
    try {
      return caller.get();
    } catch (CancellationException e) {
      long seconds = GRACE.toSeconds();
      lost.wrong("a call still hangs " + seconds + " s after the time is over");
    } catch (ExecutionException e) {
      lost.wrong("a caller failed: " + e.getCause());
    }
    return lost;
  }
}
