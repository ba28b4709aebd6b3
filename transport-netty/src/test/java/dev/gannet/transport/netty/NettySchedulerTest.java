package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What the transport provides for everything that uses it. */
final class NettySchedulerTest {
  private final NettyScheduler scheduler =
      new NettyScheduler(() -> {
        throw new AssertionError("no loop is needed");
      });

  /** A {@link ThreadLocalRandom} is seeded for the thread that asks for it, and for no other. */
  @Test
  void randomNumbersMayBeUsedOnOtherThreads() {
    RandomGenerator random = scheduler.random();
    assertThat(random).isNotInstanceOf(ThreadLocalRandom.class);
    assertThat(random.nextLong()).isNotEqualTo(random.nextLong());
  }
}
