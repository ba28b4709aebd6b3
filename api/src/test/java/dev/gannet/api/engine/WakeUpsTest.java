package dev.gannet.api.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every thread that an event loop has news for is woken: at once, or at the end of the batch. */
@Timeout(60)
final class WakeUpsTest {
  private final WakeUps wakeUps = new WakeUps(new OffLoop());

  /** Threads that are parked once, and end when they are woken. */
  private static List<Thread> parked(Thread.Builder builder, int count) throws Exception {
    CountDownLatch running = new CountDownLatch(count);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(
          builder.start(() -> {
            running.countDown();
            LockSupport.park(); // returns at once if it was woken before
          }));
    }
    running.await();
    return threads;
  }

  private static List<Thread> parkedVirtual(int count) throws Exception {
    return parked(Thread.ofVirtual(), count);
  }

  private void wake(List<Thread> threads) {
    threads.forEach(wakeUps::wake);
  }

  private static void awaitEnds(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void outsideOfABatchAThreadIsWokenAtOnce() throws Exception {
    List<Thread> threads = parkedVirtual(1);
    wake(threads);
    awaitEnds(threads);
  }

  @Test
  void aPlatformThreadIsWokenAtOnceAlsoInABatch() throws Exception {
    List<Thread> threads = parked(Thread.ofPlatform().daemon(), 1);
    wakeUps.beginBatch();
    wake(threads);
    awaitEnds(threads);
    wakeUps.endBatch();
  }

  @Test
  void theEndOfABatchWakesAFew() throws Exception {
    allAreWokenByTheEndOfABatchOf(WakeUps.FEW);
  }

  @Test
  void theEndOfABatchWakesMany() throws Exception {
    allAreWokenByTheEndOfABatchOf(WakeUps.FEW + 1);
  }

  @Test
  void aBatchMayHaveAnyNumberOfThreads() throws Exception {
    allAreWokenByTheEndOfABatchOf(3 * WakeUps.MOST + 1);
  }

  private void allAreWokenByTheEndOfABatchOf(int count) throws Exception {
    List<Thread> threads = parkedVirtual(count);
    wakeUps.beginBatch();
    wake(threads);
    wakeUps.endBatch();
    awaitEnds(threads);
  }

  @Test
  void aFullBatchIsWokenBeforeItsEnd() throws Exception {
    List<Thread> threads = parkedVirtual(WakeUps.MOST);
    wakeUps.beginBatch();
    wake(threads);
    awaitEnds(threads);
    wakeUps.endBatch();
  }

  @Test
  void aBatchWithinABatchWakesBoth() throws Exception {
    List<Thread> outer = parkedVirtual(2);
    List<Thread> inner = parkedVirtual(2);
    List<Thread> after = parkedVirtual(1);
    wakeUps.beginBatch();
    wake(outer);
    wakeUps.beginBatch();
    wake(inner);
    wakeUps.endBatch();
    awaitEnds(outer);
    awaitEnds(inner);
    wake(after);
    awaitEnds(after);
    wakeUps.endBatch();
  }

  @Test
  void aThreadIsWokenInEachBatch() throws Exception {
    allAreWokenByTheEndOfABatchOf(WakeUps.MOST - 1);
    allAreWokenByTheEndOfABatchOf(1);
    allAreWokenByTheEndOfABatchOf(WakeUps.FEW + 2);
  }
}
