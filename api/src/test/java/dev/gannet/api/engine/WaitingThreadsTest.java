package dev.gannet.api.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A waiting thread is woken by every change after the one that it has seen. */
@Timeout(60)
final class WaitingThreadsTest {
  private static final int CHANGES = 200_000;

  private final WaitingThreads waiting = new WaitingThreads();

  @Test
  void aChangeSinceTheLastCheckEndsTheWaitAtOnce() throws InterruptedException {
    int seen = waiting.changes();
    waiting.signal();
    waiting.await(seen);
    assertThat(waiting.changes()).isEqualTo(seen + 1);
  }

  /**
   * A thread that signals a change may wake the others late, when one waits for the next change.
   */
  @Test
  void aThreadThatIsWokenWithoutAChangeWaitsAgain() throws Exception {
    Waiter waiter = new Waiter();
    waiter.awaitParked();
    waiting.wakeAll();
    while (!waiting.isAnybodyWaiting()) {
      Thread.onSpinWait();
    }
    waiting.signal();
    assertThat(waiter.outcome()).isEqualTo("woken");
  }

  @Test
  void aSignalWakesAllWaitingThreads() throws Exception {
    Waiter one = new Waiter();
    Waiter other = new Waiter();
    one.awaitParked();
    other.awaitParked();
    waiting.signal();
    assertThat(one.outcome()).isEqualTo("woken");
    assertThat(other.outcome()).isEqualTo("woken");
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    Waiter waiter = new Waiter();
    waiter.awaitParked();
    waiter.thread.interrupt();
    assertThatThrownBy(waiter::outcome).hasCauseInstanceOf(InterruptedException.class);
  }

  @Test
  void uninterruptibleWaitsKeepTheInterruptFlag() throws Exception {
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    int seen = waiting.changes();
    Thread thread =
        Thread.startVirtualThread(() -> {
          waiting.awaitUninterruptibly(seen);
          interrupted.complete(Thread.currentThread().isInterrupted());
        });
    thread.interrupt();
    waiting.signal();
    assertThat(interrupted.get()).isTrue();
  }

  @Test
  void aWaitingThreadMissesNoChange() throws InterruptedException {
    AtomicInteger value = new AtomicInteger();
    Thread reader =
        Thread.startVirtualThread(() -> {
          for (int seen = waiting.changes(); value.get() < CHANGES; seen = waiting.changes()) {
            waiting.awaitUninterruptibly(seen);
          }
        });
    for (int i = 0; i < CHANGES; i++) {
      value.incrementAndGet();
      waiting.signal();
    }
    reader.join();
  }

  /** A thread that waits for one change. */
  private final class Waiter {
    private final CompletableFuture<String> outcome = new CompletableFuture<>();
    private final Thread thread;

    Waiter() {
      int seen = waiting.changes();
      this.thread =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  waiting.await(seen);
                  outcome.complete("woken");
                } catch (InterruptedException e) {
                  outcome.completeExceptionally(e);
                }
              });
    }

    void awaitParked() {
      while (thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }

    String outcome() throws ExecutionException, InterruptedException {
      return outcome.get();
    }
  }
}
