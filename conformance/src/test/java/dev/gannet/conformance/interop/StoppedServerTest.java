package dev.gannet.conformance.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestServiceClient;
import io.grpc.testing.integration.TestServiceMethods;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * A server's process that is stopped for seconds, and finds all calls of that time at once, timed
 * out and reset, keeps its connections: all but those calls are served.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
class StoppedServerTest {
  private static final int CHANNELS = 4;
  private static final int CALLS_A_SECOND = 2000;
  private static final Duration CALL_TIMEOUT = Duration.ofMillis(250);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final List<ManagedChannel> channels = new ArrayList<>();
  private final Set<Status.Code> ends = ConcurrentHashMap.newKeySet();
  private final Phaser underWay = new Phaser(1);

  @Test
  void aServerThatWasStoppedKeepsItsConnections() throws IOException, InterruptedException {
    ChildProgram server = Implementation.GANNET.startServer(Security.PLAINTEXT);
    try {
      int port = Integer.parseInt(server.awaitReady());
      for (int i = 0; i < CHANNELS; i++) {
        channels.add(
            ManagedChannel.builder("127.0.0.1", port).plaintext().directExecutor().build());
      }
      for (ManagedChannel channel : channels) {
        TestServiceClient.of(channel).withDeadline(PATIENCE).emptyCall(Empty.getDefaultInstance());
      }
      call(Duration.ofSeconds(1));
      signal(server, "STOP");
      call(PAUSE);
      signal(server, "CONT");
      call(Duration.ofSeconds(2));
      underWay.arriveAndAwaitAdvance();
      assertThat(ends).contains(Status.Code.OK, Status.Code.DEADLINE_EXCEEDED);
    } finally {
      channels.forEach(ManagedChannel::close);
      server.stop();
    }
    assertThat(server.output()).doesNotContain("ENHANCE_YOUR_CALM");
  }

  private void call(Duration length) {
    long dueNanos = System.nanoTime();
    long endNanos = dueNanos + length.toNanos();
    for (int i = 0; dueNanos - endNanos < 0; i++) {
      for (long ahead = dueNanos - System.nanoTime(); ahead > 0; ) {
        LockSupport.parkNanos(ahead);
        ahead = dueNanos - System.nanoTime();
      }
      call(channels.get(i % CHANNELS));
      dueNanos += TimeUnit.SECONDS.toNanos(1) / CALLS_A_SECOND;
    }
  }

  private void call(ManagedChannel channel) {
    ClientCall<SimpleRequest, SimpleResponse> call =
        channel.newCall(
            TestServiceMethods.UNARY_CALL, CallOptions.DEFAULT.withDeadline(CALL_TIMEOUT));
    underWay.register();
    call.start(new End());
    call.request(1);
    call.sendMessage(SimpleRequest.getDefaultInstance());
    call.halfClose();
  }

  private static void signal(ChildProgram server, String name)
      throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(server.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  private final class End implements ClientCall.Listener<SimpleResponse> {
    @Override
    public void onClose(Status status, Metadata trailers) {
      ends.add(status.code());
      underWay.arriveAndDeregister();
    }
  }
}
