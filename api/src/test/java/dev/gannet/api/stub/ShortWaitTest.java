package dev.gannet.api.stub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A thread polls for its response for a short time, while that pays. */
final class ShortWaitTest {
  private long nowNanos;
  private int polls;

  private final ShortWait wait = new ShortWait(2, this::passingTime);

  private long passingTime() {
    nowNanos += ShortWait.MAX_NANOS / 4;
    return nowNanos;
  }

  private boolean isNeverAnswered() {
    polls++;
    return false;
  }

  private boolean isAnsweredSoon() {
    polls++;
    return polls == 3;
  }

  /** How often the condition was checked. */
  private int pollsOf(Runnable waiting) {
    polls = 0;
    waiting.run();
    return polls;
  }

  private void pollInVain(int times) {
    for (int i = 0; i < times; i++) {
      wait.await(this::isNeverAnswered);
    }
  }

  @Test
  void pollingEndsWhenTheResponseArrives() {
    assertThat(pollsOf(() -> wait.await(this::isAnsweredSoon))).isEqualTo(3);
  }

  @Test
  void pollingEndsAfterItsMaximumTime() {
    long beganNanos = nowNanos;
    wait.await(this::isNeverAnswered);
    assertThat(nowNanos - beganNanos).isBetween(ShortWait.MAX_NANOS, 2 * ShortWait.MAX_NANOS);
  }

  @Test
  void afterManyUnsuccessfulPollsFewWaitsPoll() {
    pollInVain(ShortWait.MAX_CREDIT);
    int polled = 0;
    for (int i = 0; i < 10 * ShortWait.WAITS_PER_TRIAL; i++) {
      polled += pollsOf(() -> wait.await(this::isNeverAnswered)) > 0 ? 1 : 0;
    }
    assertThat(polled).isEqualTo(10);
  }

  @Test
  void successfulPollsMakeAllWaitsPollAgain() {
    pollInVain(ShortWait.MAX_CREDIT);
    for (int i = 0; i < ShortWait.WAITS_PER_TRIAL; i++) {
      pollsOf(() -> wait.await(this::isAnsweredSoon));
    }
    assertThat(pollsOf(() -> wait.await(this::isAnsweredSoon))).isEqualTo(3);
  }

  @Test
  void oneThreadPollsAtATime() {
    AtomicBoolean inside = new AtomicBoolean();
    wait.await(() -> {
      assertThat(pollsOf(() -> wait.await(this::isNeverAnswered))).isZero();
      inside.set(true);
      return true;
    });
    assertThat(inside).isTrue();
  }

  @Test
  void aVirtualThreadDoesNotPoll() throws InterruptedException {
    Thread.ofVirtual().start(() -> wait.await(this::isNeverAnswered)).join();
    assertThat(polls).isZero();
  }

  @Test
  void noThreadPollsOnASingleProcessor() {
    new ShortWait(1, this::passingTime).await(this::isNeverAnswered);
    assertThat(polls).isZero();
  }
}
