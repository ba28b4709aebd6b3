package dev.gannet.benchmarks.load;

import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.benchmarks.harness.Latencies;
import dev.gannet.benchmarks.harness.Run;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/** Unary calls one after the other, on whatever thread the end of the one before is reported. */
final class AsyncUnaryLoop implements Loop, ClientCall.Listener<SimpleResponse> {
  private final UnaryOrder order;
  private final Run run;
  private final Latencies latencyNanos;
  private long beginNanos;
  private boolean answered;

  AsyncUnaryLoop(UnaryOrder order, Run run, Latencies latencyNanos) {
    this.order = order;
    this.run = run;
    this.latencyNanos = latencyNanos;
  }

  @Override
  public void start() {
    answered = false;
    beginNanos = System.nanoTime();
    order.begin(this);
  }

  @Override
  public void onMessage(SimpleResponse response) {
    answered = run.checkPayload(Requests.payloadBytes(response));
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (!status.isOk()) {
      run.fail("a call ended with " + status);
    } else if (!answered) {
      run.fail("a call ended well without its reply");
    } else if (run.countsCalls()) {
      latencyNanos.record(System.nanoTime() - beginNanos);
    }
    if (run.isOver()) {
      run.loopEnded();
    } else {
      start();
    }
  }
}
