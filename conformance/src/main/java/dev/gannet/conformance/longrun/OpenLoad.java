package dev.gannet.conformance.longrun;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestServiceMethods;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Unary calls at a fixed rate, whether or not earlier calls were answered, with a deadline of a
 * second. Safe for all threads.
 */
final class OpenLoad implements AutoCloseable {
  private static final int CONNECTIONS = 4;
  private static final Duration DEADLINE = Duration.ofSeconds(1);

  private final List<ManagedChannel> channels = new ArrayList<>();
  private final long intervalNanos;
  private final Thread caller;
  private volatile OverloadPhase phase = new OverloadPhase(0);
  private volatile boolean over;

  OpenLoad(SocketAddress server, int callsPerSecond) {
    intervalNanos = TimeUnit.SECONDS.toNanos(1) / callsPerSecond;
    for (int i = 0; i < CONNECTIONS; i++) {
      channels.add(ManagedChannel.builder(server).plaintext().directExecutor().build());
    }
    caller = Thread.ofPlatform().daemon().name("open load").start(this::callOn);
  }

  /** Starts a new phase, to which calls that end later belong; it settles for that long. */
  OverloadPhase enter(int settleSeconds) {
    OverloadPhase entered = new OverloadPhase(settleSeconds);
    phase = entered;
    return entered;
  }

  @Override
  public void close() {
    over = true;
    try {
      caller.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    channels.forEach(ManagedChannel::shutdownNow);
  }

  private void callOn() {
    long dueNanos = System.nanoTime();
    for (int i = 0; !over; i++) {
      for (long left = dueNanos - System.nanoTime();
          left > 0;
          left = dueNanos - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      ClientCall<SimpleRequest, SimpleResponse> call =
          channels
              .get(i % CONNECTIONS)
              .newCall(TestServiceMethods.UNARY_CALL, CallOptions.DEFAULT.withDeadline(DEADLINE));
      call.start(new Ending());
      call.request(1);
      call.sendMessage(SimpleRequest.getDefaultInstance());
      call.halfClose();
      dueNanos += intervalNanos;
    }
  }

  private final class Ending implements ClientCall.Listener<SimpleResponse> {
    private final long beganNanos = System.nanoTime();

    @Override
    public void onClose(Status status, Metadata trailers) {
      phase.onEnd(status.code(), System.nanoTime() - beganNanos);
    }
  }
}
