package dev.gannet.benchmarks.peers.vertx;

import dev.gannet.benchmarks.harness.Latencies;
import dev.gannet.benchmarks.harness.Run;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.vertx.core.AsyncResult;

/** Unary calls one after the other, on the event loop of their connection. */
final class AsyncUnaryLoop {
  private final UnaryOrder order;
  private final Run run;
  private final Latencies latencyNanos;
  private long beginNanos;

  AsyncUnaryLoop(UnaryOrder order, Run run, Latencies latencyNanos) {
    this.order = order;
    this.run = run;
    this.latencyNanos = latencyNanos;
  }

  void start() {
    order.line().run(this::call);
  }

  private void call() {
    beginNanos = System.nanoTime();
    order.begin().onComplete(this::ended);
  }

  private void ended(AsyncResult<SimpleResponse> call) {
    if (call.failed()) {
      run.fail("a call ended with " + call.cause());
    } else if (VertxTarget.checkPayload(call.result(), run) && run.countsCalls()) {
      latencyNanos.record(System.nanoTime() - beginNanos);
    }
    if (run.isOver()) {
      run.loopEnded();
    } else {
      call();
    }
  }
}
