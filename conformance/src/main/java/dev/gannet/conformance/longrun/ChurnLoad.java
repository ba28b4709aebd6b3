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
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** A fixed number of concurrent unary calls on one channel. Thread-safe. */
final class ChurnLoad implements AutoCloseable {
  private static final int CALLERS = 16;
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  /** A failed call, and its server if it had one. */
  record Failure(long beganNanos, Optional<SocketAddress> peer, Status status) {}

  private final ManagedChannel channel;
  private final CountDownLatch open = new CountDownLatch(CALLERS);
  private final LongAdder calls = new LongAdder();
  private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();

  /** Starts the call after a failed one: a channel without servers would otherwise spin. */
  private final Executor later =
      CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, Runnable::run);

  private volatile boolean over;

  ChurnLoad(ManagedChannel channel) {
    this.channel = channel;
    for (int i = 0; i < CALLERS; i++) {
      callOnce();
    }
  }

  long calls() {
    return calls.sum();
  }

  Queue<Failure> failures() {
    return failures;
  }

  private void callOnce() {
    ClientCall<SimpleRequest, SimpleResponse> call =
        channel.newCall(TestServiceMethods.UNARY_CALL, CallOptions.DEFAULT.withDeadline(DEADLINE));
    call.start(new Ending(call));
    call.request(1);
    call.sendMessage(SimpleRequest.getDefaultInstance());
    call.halfClose();
  }

  /** Waits for the running calls. */
  @Override
  public void close() {
    over = true;
    try {
      if (!open.await(2 * DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("calls do not end: " + open.getCount());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Ending implements ClientCall.Listener<SimpleResponse> {
    private final ClientCall<SimpleRequest, SimpleResponse> call;
    private final long beganNanos = System.nanoTime();

    Ending(ClientCall<SimpleRequest, SimpleResponse> call) {
      this.call = call;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      calls.increment();
      if (!status.isOk()) {
        failures.add(new Failure(beganNanos, call.peer(), status));
      }
      if (over) {
        open.countDown();
      } else if (status.isOk()) {
        callOnce();
      } else {
        later.execute(ChurnLoad.this::callOnce);
      }
    }
  }
}
