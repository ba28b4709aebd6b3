package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where the interrupt of a call ends up. */
@Timeout(60)
final class OnVirtualThreadTest {
  private final OnVirtualThread call = new OnVirtualThread(Runnable::run);

  @Test
  void theThreadOfTheHandlerIsInterrupted() {
    call.enter();
    call.interrupt();
    call.leave();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aThreadIsNotInterruptedBeforeAndAfterTheHandler() {
    call.interrupt();
    call.enter();
    call.leave();
    call.interrupt();
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void theNextThreadWaitsUntilThePreviousOneHasLeft() throws InterruptedException {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Runnable visits =
        () -> {
          for (int i = 0; i < 100_000; i++) {
            call.enter();
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            inside.decrementAndGet();
            call.leave();
          }
        };
    Thread one = Thread.ofPlatform().start(visits);
    Thread other = Thread.ofPlatform().start(visits);
    one.join();
    other.join();
    assertThat(most).hasValue(1);
  }

  @Test
  void noInterruptFollowsTheEnd() throws InterruptedException {
    AtomicBoolean over = new AtomicBoolean();
    Thread interrupting =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) {
                call.interrupt();
              }
            });
    int late = 0;
    for (int i = 0; i < 200_000; i++) {
      call.enter();
      call.leave();
      Thread.interrupted();
      Thread.onSpinWait();
      late += Thread.interrupted() ? 1 : 0;
    }
    over.set(true);
    interrupting.join();
    assertThat(late).isZero();
  }
}
