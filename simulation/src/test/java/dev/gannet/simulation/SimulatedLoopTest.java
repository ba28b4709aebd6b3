package dev.gannet.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.transport.Scheduler.Cancellable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Virtual time stands still by itself, and passes in order. */
final class SimulatedLoopTest {
  private final SimulatedLoop loop = new SimulatedLoop();
  private final List<String> ran = new ArrayList<>();

  @Test
  void tasksRunOnlyWhenTheTestRunsThem() {
    loop.execute(() -> ran.add("a"));
    assertThat(ran).isEmpty();
    loop.runUntilIdle();
    assertThat(ran).containsExactly("a");
  }

  @Test
  void tasksOfOneTimeRunInTheOrderInWhichTheyCame() {
    loop.execute(() -> {
      ran.add("a");
      loop.execute(() -> ran.add("c"));
    });
    loop.schedule(() -> ran.add("b"), 0);
    loop.runUntilIdle();
    assertThat(ran).containsExactly("a", "b", "c");
  }

  @Test
  void theClockMovesFromTaskToTask() {
    loop.schedule(() -> ran.add("late " + loop.nanoTime()), 300);
    loop.schedule(() -> ran.add("early " + loop.nanoTime()), 100);
    loop.schedule(() -> loop.schedule(() -> ran.add("between " + loop.nanoTime()), 50), 150);
    loop.advance(Duration.ofNanos(299));
    assertThat(ran).containsExactly("early 100", "between 200");
    loop.advance(Duration.ofNanos(1));
    assertThat(ran).endsWith("late 300");
    assertThat(loop.nanoTime()).isEqualTo(300);
  }

  @Test
  void runUntilIdleDoesNotRunLaterTasks() {
    loop.schedule(() -> ran.add("late"), 1);
    loop.runUntilIdle();
    assertThat(ran).isEmpty();
    assertThat(loop.nanoTime()).isZero();
  }

  @Test
  void aCancelledTaskDoesNotRun() {
    Cancellable cancellable = loop.schedule(() -> ran.add("never"), 5);
    cancellable.cancel();
    loop.advance(Duration.ofSeconds(1));
    assertThat(ran).isEmpty();
  }

  @Test
  void theClockMayOverflow() {
    SimulatedLoop late = new SimulatedLoop(Long.MAX_VALUE - 10);
    late.schedule(() -> ran.add("b"), 20);
    late.schedule(() -> ran.add("a"), 5);
    late.advance(Duration.ofNanos(30));
    assertThat(ran).containsExactly("a", "b");
    assertThat(late.nanoTime()).isNegative();
  }

  @Test
  void theLongestDelayNeverEndsAndDelaysNoOther() {
    SimulatedLoop late = new SimulatedLoop(Long.MAX_VALUE - 10);
    late.schedule(() -> ran.add("never"), Long.MAX_VALUE);
    late.schedule(() -> ran.add("soon"), 5);
    late.spend(Duration.ofNanos(20)); // now the second one is overdue
    late.schedule(() -> ran.add("never either"), Long.MAX_VALUE);
    late.advance(Duration.ofDays(365));
    assertThat(ran).containsExactly("soon");
  }

  @Test
  void timeDoesNotGoBack() {
    assertThatThrownBy(() -> loop.advance(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aTaskMayNotRunTheLoop() {
    loop.execute(loop::runUntilIdle);
    assertThatThrownBy(loop::runUntilIdle).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void endlessTasksAreDetected() {
    loop.execute(this::forever);
    assertThatThrownBy(loop::runUntilIdle)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no end");
  }

  private void forever() {
    loop.execute(this::forever);
  }

  @Test
  void anExceptionOfATaskIsThrownToTheCallerAndOtherTasksStillRun() {
    loop.execute(() -> {
      throw new IllegalArgumentException("mine");
    });
    loop.execute(() -> ran.add("other"));
    assertThatThrownBy(loop::runUntilIdle).hasMessage("mine");
    loop.runUntilIdle();
    assertThat(ran).containsExactly("other");
  }
}
