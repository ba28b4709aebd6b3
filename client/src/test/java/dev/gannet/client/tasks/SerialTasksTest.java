package dev.gannet.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A channel's tasks run one at a time, in order, and what they put off runs outside. */
@Timeout(60)
final class SerialTasksTest {
  private final SerialTasks tasks = new SerialTasks("test:///name");
  private final List<String> ran = new ArrayList<>();

  @Test
  void aTaskRunsOnTheThreadThatAddsIt() {
    Thread[] by = new Thread[1];
    tasks.run(() -> by[0] = Thread.currentThread());
    assertThat(by[0]).isEqualTo(Thread.currentThread());
  }

  /** As exceptions of users may be: writing them into a log fails. */
  private static final class Unprintable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new AssertionError("expected by the test");
    }
  }

  @Test
  void aFailureThatCannotBeLoggedDoesNotStopLaterTasks() {
    tasks.run(() -> {
      throw new Unprintable();
    });
    tasks.run(() -> ran.add("later"));
    assertThat(ran).containsExactly("later");
  }

  @Test
  void aTaskAddedInsideAnotherRunsAfterIt() {
    tasks.run(() -> {
      tasks.run(() -> ran.add("inner"));
      ran.add("outer");
    });
    assertThat(ran).containsExactly("outer", "inner");
  }

  @Test
  void deferredEffectsRunAfterAllTasksAndOutsideThem() {
    tasks.run(() -> {
      tasks.afterwards(() -> {
        ran.add("put off");
        tasks.run(() -> ran.add("from outside")); // at once, as no task is at work
        ran.add("its end");
      });
      tasks.run(() -> ran.add("task"));
    });
    assertThat(ran).containsExactly("task", "put off", "from outside", "its end");
  }

  @Test
  void noTaskSeesTheCallThatItsThreadServes() {
    List<Optional<CallContext>> seen = new ArrayList<>();
    CallContext.forTest()
        .build()
        .run(() -> {
          tasks.run(() -> {
            seen.add(CallContext.current());
            tasks.afterwards(() -> seen.add(CallContext.current()));
          });
          assertThat(CallContext.current()).isPresent();
        });
    assertThat(seen).containsExactly(Optional.empty(), Optional.empty());
  }

  @Test
  void aTaskThatFailsOnTheThreadOfAServedCallIsReported() {
    IllegalStateException thrown = new IllegalStateException("thrown");
    CallContext.forTest()
        .build()
        .run(() -> {
          Throwable told =
              tasks.runAndReturnFailure(() -> {
                throw thrown;
              });
          assertThat(told).isSameAs(thrown);
        });
  }

  @Test
  void anExceptionOfOneTaskDoesNotStopTheOthers() {
    IllegalStateException first = new IllegalStateException("first");
    Throwable told =
        tasks.runAndReturnFailure(() -> {
          tasks.run(() -> ran.add("task"));
          tasks.afterwards(() -> {
            throw new IllegalStateException("second");
          });
          tasks.afterwards(() -> ran.add("put off"));
          throw first;
        });
    assertThat(told).isSameAs(first);
    assertThat(ran).containsExactly("task", "put off");
    assertThat(tasks.runAndReturnFailure(() -> ran.add("later"))).isNull();
  }

  @Test
  void anExceptionOfAPluginIsNotReturned() {
    Throwable told =
        tasks.runAndReturnFailure(() -> {
          tasks.callPluginAfterwards(() -> {
            ran.add("plugin");
            throw new IllegalStateException("thrown");
          });
          tasks.afterwards(() -> ran.add("put off"));
        });
    assertThat(told).isNull();
    assertThat(ran).containsExactly("plugin", "put off");
  }

  @Test
  void aThreadThatAddsATaskDuringAnotherDoesNotWait() throws InterruptedException {
    CountDownLatch atWork = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Thread other =
        Thread.ofPlatform()
            .start(() ->
                tasks.run(() -> {
                  atWork.countDown();
                  await(goOn);
                }));
    await(atWork);
    Thread[] by = new Thread[1];
    assertThat(tasks.runAndReturnFailure(() -> by[0] = Thread.currentThread())).isNull();
    assertThat(by[0]).isNull();
    goOn.countDown();
    other.join();
    assertThat(by[0]).isEqualTo(other);
  }

  /** Otherwise a policy could be shut down while the task that has replaced it still runs in it. */
  @Test
  void whatATaskPutsOffRunsOnItsOwnThreadAfterIt() throws InterruptedException {
    CountDownLatch firstRuns = new CountDownLatch(1);
    CountDownLatch firstMayEnd = new CountDownLatch(1);
    Thread first =
        Thread.ofPlatform()
            .start(() ->
                tasks.run(() ->
                    tasks.afterwards(() -> {
                      firstRuns.countDown();
                      await(firstMayEnd);
                    })));
    await(firstRuns);
    tasks.run(() -> {
      tasks.afterwards(() -> ran.add("put off by " + Thread.currentThread().getName()));
      firstMayEnd.countDown();
      join(first);
      ran.add("task");
    });
    assertThat(ran).containsExactly("task", "put off by " + Thread.currentThread().getName());
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void noTaskIsLostAndNoTwoRunAtTheSameTime() throws InterruptedException {
    int each = 10_000;
    int[] count = new int[1]; // not atomic: two tasks at a time would lose some
    AtomicInteger putOff = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int n = 0; n < each; n++) {
                  tasks.run(() -> {
                    count[0]++;
                    tasks.afterwards(putOff::incrementAndGet);
                  });
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    tasks.run(() -> {}); // its own run sees what the others wrote
    assertThat(count[0]).isEqualTo(4 * each);
    assertThat(putOff).hasValue(4 * each);
  }
}
