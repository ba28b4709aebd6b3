package dev.gannet.api.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work that a loop leaves to virtual threads is done once, even if these get no carrier. */
@Timeout(60)
final class OffLoopTest {
  private final OffLoop offLoop = new OffLoop();
  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Thread> busy = new ArrayList<>();

  /** Until they are released, no other virtual thread runs. */
  private void keepCarriersBusy() throws InterruptedException {
    int carriers = Runtime.getRuntime().availableProcessors();
    CountDownLatch running = new CountDownLatch(carriers);
    for (int i = 0; i < carriers; i++) {
      busy.add(
          Thread.startVirtualThread(() -> {
            running.countDown();
            while (!over.get()) {
              Thread.onSpinWait();
            }
          }));
    }
    running.await();
  }

  @AfterEach
  void release() throws InterruptedException {
    over.set(true);
    for (Thread thread : busy) {
      thread.join();
    }
  }

  private void leave(Runnable work) {
    assertThat(offLoop.tryLeave(Thread.ofVirtual(), work)).isTrue();
  }

  @Test
  void aVirtualThreadDoesIt() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    leave(() -> {
      if (Thread.currentThread().isVirtual()) {
        done.countDown();
      }
    });
    done.await();
    offLoop.startLeft(); // finds nothing
  }

  @Test
  void aPlatformThreadDoesOnceWhatNoVirtualThreadHasBegun() throws InterruptedException {
    keepCarriersBusy();
    CountDownLatch onPlatformThreads = new CountDownLatch(2);
    AtomicInteger done = new AtomicInteger();
    for (int i = 0; i < 2; i++) {
      leave(() -> {
        done.incrementAndGet();
        if (!Thread.currentThread().isVirtual()) {
          onPlatformThreads.countDown();
        }
      });
    }
    offLoop.startLeft();
    onPlatformThreads.await();
    release(); // virtual threads come too late
    CountDownLatch later = new CountDownLatch(1);
    leave(later::countDown);
    later.await();
    assertThat(done).hasValue(2);
  }

  @Test
  void anExceptionDoesNotKeepOtherWorkFromBeingDone() throws InterruptedException {
    keepCarriersBusy();
    CountDownLatch second = new CountDownLatch(1);
    leave(() -> {
      throw new IllegalStateException("expected by the test");
    });
    leave(second::countDown);
    offLoop.startLeft();
    second.await();
  }
}
