package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Deadline;
import dev.gannet.transport.ConnectionInfo;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What the transport provides for everything that uses it. */
final class NettySchedulerTest {
  private final NettyScheduler scheduler =
      new NettyScheduler(() -> {
        throw new AssertionError("no loop is needed");
      });

  /** Otherwise each call with a deadline would read two clocks to convert it. */
  @Test
  void deadlinesAndConnectionsHaveTheSameClock() {
    InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere", 1);
    NettyPipe pipe =
        new NettyPipe(
            new EmbeddedChannel(),
            NettyEventLoops.Kind.nio(),
            new ConnectionInfo(nowhere, nowhere),
            0);
    assertThat(scheduler.clock()).isSameAs(pipe.clock()).isSameAs(Deadline.systemTicker());
  }

  /** A {@link ThreadLocalRandom} is seeded for the thread that asks for it, and for no other. */
  @Test
  void randomNumbersMayBeUsedOnOtherThreads() {
    RandomGenerator random = scheduler.random();
    assertThat(random).isNotInstanceOf(ThreadLocalRandom.class);
    assertThat(random.nextLong()).isNotEqualTo(random.nextLong());
  }
}
