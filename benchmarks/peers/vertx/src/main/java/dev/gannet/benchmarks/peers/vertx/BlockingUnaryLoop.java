package dev.gannet.benchmarks.peers.vertx;

import dev.gannet.benchmarks.harness.Latencies;
import dev.gannet.benchmarks.harness.Run;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Unary calls one after the other by a virtual thread that waits for each: there is no blocking
 * client.
 */
final class BlockingUnaryLoop {
  private final UnaryOrder order;
  private final Run run;
  private final Latencies latencyNanos;

  BlockingUnaryLoop(UnaryOrder order, Run run, Latencies latencyNanos) {
    this.order = order;
    this.run = run;
    this.latencyNanos = latencyNanos;
  }

  void start() {
    Thread.ofVirtual().start(this::callUntilTheEnd);
  }

  private void callUntilTheEnd() {
    try {
      while (!run.isOver()) {
        callOnce();
      }
    } catch (CompletionException e) {
      run.fail("a call ended with " + e.getCause());
    } catch (RuntimeException | Error e) {
      run.fail("a caller ended with " + e);
    } finally {
      run.loopEnded();
    }
  }

  private void callOnce() {
    long beginNanos = System.nanoTime();
    CompletableFuture<SimpleResponse> response = VertxTarget.begin(order);
    if (VertxTarget.checkPayload(response.join(), run) && run.countsCalls()) {
      latencyNanos.record(System.nanoTime() - beginNanos);
    }
  }
}
