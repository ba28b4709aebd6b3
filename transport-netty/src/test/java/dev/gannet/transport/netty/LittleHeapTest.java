package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.client.ManagedChannel;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server that is given far more work than its heap can hold, and that no budget keeps from it,
 * serves again once it is left alone.
 */
@Timeout(300)
final class LittleHeapTest {
  private static final int CLIENTS = 16;
  private static final int MESSAGE_BYTES = 1 << 20;
  private static final long BETWEEN_CALLS_NANOS = TimeUnit.SECONDS.toNanos(1) / 300;
  private static final int CALLS = 600;
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  /** So many times 1 MiB are more than the server can hold, and less than this process. */
  private static final int MAX_AT_ONCE = 120;

  /** Of half a minute each. */
  private static final int TRIES = 4;

  private static final long PATIENCE_SECONDS = 60;

  /** The second is what a class says that could not be loaded for want of memory. */
  private static final String OUT_OF_MEMORY = "OutOfMemoryError|NoClassDefFoundError";

  /** Nobody holds connections back. */
  private static final MemoryBudget ALL = MemoryBudget.ofBytes(1L << 40);

  @Test
  void serverThatRanOutOfMemoryServesAgain() throws Exception {
    try (ChildProgram server =
        ChildProgram.start(List.of(), List.of("-Xmx48m"), EchoProgram.class)) {
      int port = Integer.parseInt(server.await("listening on port (\\d+)").group(1));
      List<ManagedChannel> channels = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        channels.add(connect(port));
      }
      try {
        overburden(channels, server);
        channels.add(connect(port));
        for (ManagedChannel channel : channels) {
          assertServed(channel, server);
        }
      } finally {
        channels.forEach(ManagedChannel::shutdownNow);
      }
      assertThat(server.all()).containsPattern(OUT_OF_MEMORY);
      assertThat(server.isAlive()).isTrue();
    }
  }

  /** Where processors are busy, a JVM without memory collects garbage for long. */
  private static void assertServed(ManagedChannel channel, ChildProgram server) throws Exception {
    Status last = Caller.call(channel, new byte[1]);
    for (int i = 1; i < TRIES && !last.isOk(); i++) {
      last = Caller.call(channel, new byte[1]);
    }
    String threads = last.isOk() ? "" : server.threads();
    assertThat(last.isOk()).as("%s\n%s\n%s", last, threads, server.all()).isTrue();
  }

  private static void overburden(List<ManagedChannel> channels, ChildProgram server)
      throws Exception {
    byte[] message = new byte[MESSAGE_BYTES];
    CallOptions options = CallOptions.DEFAULT.withDeadline(DEADLINE);
    Semaphore room = new Semaphore(MAX_AT_ONCE);
    for (int i = 0; i < CALLS; i++) {
      takeRoom(room, 1, server);
      Caller caller = Caller.begin(channels.get(i % CLIENTS), EchoService.UNARY, message, options);
      caller.end().whenComplete((status, none) -> room.release());
      caller.halfClose();
      LockSupport.parkNanos(BETWEEN_CALLS_NANOS);
    }
    takeRoom(room, MAX_AT_ONCE, server);
  }

  private static void takeRoom(Semaphore room, int calls, ChildProgram server)
      throws InterruptedException {
    assertThat(room.tryAcquire(calls, PATIENCE_SECONDS, TimeUnit.SECONDS))
        .as(() -> "calls have no end\n" + server.all())
        .isTrue();
  }

  private static ManagedChannel connect(int port) {
    return ManagedChannel.builder(InetAddress.getLoopbackAddress().getHostAddress(), port)
        .plaintext()
        .memoryBudget(ALL)
        .build();
  }
}
