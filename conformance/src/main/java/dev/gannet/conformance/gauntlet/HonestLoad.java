package dev.gannet.conformance.gauntlet;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.client.ManagedChannel;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestServiceMethods;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Honest clients: unary calls at a fixed rate over a few connections, whether or not earlier calls
 * were answered. A latency counts from the moment at which its call was scheduled, so that a server
 * that pauses for a while cannot hide it. Safe for all threads.
 */
final class HonestLoad implements AutoCloseable {
  /** An honest client gives up after this time: the call has failed. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final int CONNECTIONS = 4;
  private static final int RESPONSE_BYTES = 64;
  private static final SimpleRequest REQUEST =
      SimpleRequest.newBuilder().setResponseSize(RESPONSE_BYTES).build();

  private final List<ManagedChannel> channels = new ArrayList<>();
  private final long intervalNanos;
  private final Thread caller;
  private volatile HonestPhase phase = new HonestPhase();
  private volatile boolean over;

  private HonestLoad(int port, int callsPerSecond) {
    intervalNanos = TimeUnit.SECONDS.toNanos(1) / callsPerSecond;
    for (int i = 0; i < CONNECTIONS; i++) {
      channels.add(ManagedChannel.builder("127.0.0.1", port).plaintext().directExecutor().build());
    }
    caller = Thread.ofPlatform().daemon().name("honest").start(this::callForEver);
  }

  /** Begins to call the server on that port of this machine. */
  static HonestLoad start(int port, int callsPerSecond) {
    return new HonestLoad(port, callsPerSecond);
  }

  /** Starts a new phase, to which later calls belong. */
  HonestPhase enter() {
    HonestPhase entered = new HonestPhase();
    phase.leave();
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
    channels.forEach(ManagedChannel::close);
  }

  private void callForEver() {
    long dueNanos = System.nanoTime();
    for (int i = 0; !over; i++) {
      long aheadNanos = dueNanos - System.nanoTime();
      while (aheadNanos > 0) {
        LockSupport.parkNanos(aheadNanos);
        aheadNanos = dueNanos - System.nanoTime();
      }
      call(channels.get(i % CONNECTIONS), dueNanos);
      dueNanos += intervalNanos;
    }
  }

  private void call(ManagedChannel channel, long dueNanos) {
    HonestPhase current = phase;
    current.onCall();
    ClientCall<SimpleRequest, SimpleResponse> call =
        channel.newCall(TestServiceMethods.UNARY_CALL, CallOptions.DEFAULT.withDeadline(PATIENCE));
    call.start(new HonestCall(current, dueNanos, RESPONSE_BYTES));
    call.request(1);
    call.sendMessage(REQUEST);
    call.halfClose();
  }
}
