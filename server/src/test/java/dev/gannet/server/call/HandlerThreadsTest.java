package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that run one task after the other, as if each had one of its own. */
@Timeout(60)
final class HandlerThreadsTest {
  private final HandlerThreads threads = new HandlerThreads();

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void noTaskWaitsForABlockedOne() {
    int tasks = 1_000;
    CountDownLatch allRun = new CountDownLatch(tasks);
    for (int i = 0; i < tasks; i++) {
      threads.execute(() -> {
        allRun.countDown();
        await(allRun); // each needs all others
      });
    }
    await(allRun);
  }

  @Test
  void everyTaskOfSeveralCallersRunsOnce() {
    int callers = 4;
    int tasksOfEach = 20_000;
    CountDownLatch ended = new CountDownLatch(callers * tasksOfEach);
    AtomicInteger runs = new AtomicInteger();
    for (int i = 0; i < callers; i++) {
      Thread.ofPlatform()
          .daemon()
          .start(() -> {
            for (int j = 0; j < tasksOfEach; j++) {
              threads.execute(() -> {
                runs.incrementAndGet();
                ended.countDown();
              });
            }
          });
    }
    await(ended);
    assertThat(runs).hasValue(callers * tasksOfEach);
  }

  @Test
  void tasksAddedTogetherShareThreads() {
    int tasks = 1_000;
    int processors = Runtime.getRuntime().availableProcessors();
    AtomicBoolean allBrought = new AtomicBoolean();
    for (int i = 0; i < processors; i++) {
      Thread.ofVirtual()
          .start(() -> {
            while (!allBrought.get()) {
              Thread.onSpinWait(); // no virtual thread gets on meanwhile
            }
          });
    }
    CountDownLatch ended = new CountDownLatch(tasks);
    Set<Long> used = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < tasks; i++) {
      threads.execute(() -> {
        used.add(Thread.currentThread().threadId());
        ended.countDown();
      });
    }
    allBrought.set(true);
    await(ended);
    assertThat(used).hasSizeLessThan(tasks / 4);
  }

  @Test
  void anInterruptDoesNotReachTheNextTask() {
    CountDownLatch bothBrought = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(2);
    AtomicBoolean inherited = new AtomicBoolean();
    threads.execute(() -> {
      await(bothBrought);
      Thread.currentThread().interrupt();
      ended.countDown();
    });
    threads.execute(() -> {
      inherited.set(Thread.currentThread().isInterrupted());
      ended.countDown();
    });
    bothBrought.countDown();
    await(ended);
    assertThat(inherited).isFalse();
  }

  @Test
  void aContextClassLoaderDoesNotReachTheNextTask() {
    ClassLoader ours = Thread.currentThread().getContextClassLoader();
    int tasks = 200;
    CountDownLatch ended = new CountDownLatch(tasks);
    AtomicInteger strange = new AtomicInteger();
    for (int i = 0; i < tasks; i++) {
      threads.execute(() -> {
        Thread thread = Thread.currentThread();
        if (!ours.equals(thread.getContextClassLoader())) {
          strange.incrementAndGet();
        }
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        ended.countDown();
      });
    }
    await(ended);
    assertThat(strange).hasValue(0);
  }

  @Test
  void aTaskThatThrowsDoesNotStopTheOthers() {
    int tasks = 100;
    CountDownLatch ended = new CountDownLatch(tasks);
    for (int i = 0; i < tasks; i++) {
      threads.execute(() -> {
        Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> {});
        ended.countDown();
        throw new IllegalStateException("on purpose");
      });
    }
    await(ended);
  }
}
