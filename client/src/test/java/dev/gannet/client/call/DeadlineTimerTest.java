package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Deadline;
import dev.gannet.client.FakePipes;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** A deadline is watched once, from when it is wanted until it is not. */
final class DeadlineTimerTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final FakePipes pipes = new FakePipes();
  private int passed;
  private final DeadlineTimer timer = timer(SECOND);

  private DeadlineTimer timer(Duration after) {
    return new DeadlineTimer(pipes, Deadline.after(after, pipes.loop::nanoTime), () -> passed++);
  }

  @Test
  void itExpiresOnceHoweverOftenItWasStarted() {
    timer.start();
    timer.start();
    timer.startOrPass();
    pipes.loop.advance(SECOND);
    assertThat(passed).isOne();
  }

  @Test
  void aStoppedTimerDoesNotExpire() {
    timer.start();
    timer.stop();
    timer.start();
    DeadlineTimer never = timer(SECOND);
    never.stop();
    never.start();
    pipes.loop.advance(SECOND);
    assertThat(passed).isZero();
    assertThat(pipes.loop.pendingTasks()).isZero();
  }

  @Test
  void ifTheDeadlineHasPassedItExpiresAtOnce() {
    pipes.loop.advance(SECOND);
    timer.startOrPass();
    assertThat(passed).isOne();
  }

  @Test
  void aLimitReplacesTheDeadlineThatIsWatched() {
    timer.start();
    timer.limitBy(Deadline.after(SECOND.dividedBy(2), pipes.loop::nanoTime));
    assertThat(pipes.loop.pendingTasks()).isZero();
    timer.start();
    timer.start();
    pipes.loop.advance(SECOND.dividedBy(2));
    assertThat(passed).isOne();
    assertThat(pipes.loop.pendingTasks()).isZero();
  }

  @Test
  void aLimitThatComesWhileTheTimerIsSetIsTheOneThatIsWatched() {
    Duration half = SECOND.dividedBy(2);
    pipes.atTimer = () -> timer.limitBy(Deadline.after(half, pipes.loop::nanoTime));
    timer.start();
    assertThat(pipes.loop.pendingTasks()).isOne();
    pipes.loop.advance(half);
    assertThat(passed).isOne();
  }

  @Test
  void withoutADeadlineNothingIsWatched() {
    DeadlineTimer none = new DeadlineTimer(pipes, null, () -> passed++);
    none.start();
    none.startOrPass();
    assertThat(pipes.loop.pendingTasks()).isZero();
    none.limitBy(Deadline.after(SECOND, pipes.loop::nanoTime));
    none.startOrPass();
    pipes.loop.advance(SECOND);
    assertThat(passed).isOne();
  }

  @Test
  void ifTheTimerIsRefusedItExpiresAtOnceOrThrows() {
    pipes.refused.add(FakePipes.Service.SCHEDULE);
    assertThatThrownBy(timer::start).isInstanceOf(RejectedExecutionException.class);
    timer.startOrPass();
    assertThat(passed).isOne();
  }
}
