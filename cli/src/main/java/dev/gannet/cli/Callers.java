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
 * Callers at work beside each other, each on a virtual thread of its own with one blocking call
 * after the other. A caller stops at its first call that goes wrong.
 */
record Callers(GreeterClient greeter, int count, Duration duration) {
  /** What is left to the last calls before those who make them are told to stop. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  /** Works until the time is over, and tells how the calls of each kind went. */
  Tallies work() throws InterruptedException {
    long endNanos = System.nanoTime() + duration.toNanos();
    List<Callable<Tallies>> callers = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      String name = "caller " + i;
      callers.add(() -> callUntil(endNanos, name));
    }
    // Not closed, for that would wait for a caller who hangs; its threads do not outlive the JVM.
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    Tallies all = new Tallies();
    long longestNanos = duration.plus(GRACE).toNanos();
    for (var caller : threads.invokeAll(callers, longestNanos, TimeUnit.NANOSECONDS)) {
      all.add(resultOf(caller));
    }
    threads.shutdownNow();
    return all;
  }

  private Tallies callUntil(long endNanos, String name) {
    Tallies tallies = new Tallies();
    for (int turn = 1; System.nanoTime() - endNanos < 0; turn++) {
      for (CallKind kind : CallKind.values()) {
        if (!callOnce(kind, name + ", turn " + turn, tallies.of(kind))) {
          return tallies;
        }
      }
    }
    return tallies;
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

  private static Tallies resultOf(Future<Tallies> caller) throws InterruptedException {
    Tallies lost = new Tallies();
    try {
      return caller.get();
    } catch (CancellationException e) {
      long seconds = GRACE.toSeconds();
      lost.of(CallKind.UNARY).wrong("a call still hangs " + seconds + " s after the time is over");
    } catch (ExecutionException e) {
      lost.of(CallKind.UNARY).wrong("a caller broke down: " + e.getCause());
    }
    return lost;
  }
}
