package dev.gannet.benchmarks.peers.stubs;

import dev.gannet.benchmarks.harness.Latencies;
import dev.gannet.benchmarks.harness.Run;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/**
 * Unary calls one after the other, with a library that runs a whole call on the calling thread; so
 * each loop has a virtual thread.
 */
final class InPlaceUnaryLoop extends ClientCall.Listener<SimpleResponse> {
  private final UnaryOrder order;
  private final Run run;
  private final Latencies latencyNanos;
  private boolean answered;
  private boolean ended;

  InPlaceUnaryLoop(UnaryOrder order, Run run, Latencies latencyNanos) {
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
    } catch (RuntimeException | Error e) {
      run.fail("a caller ended with " + e);
    } finally {
      run.loopEnded();
    }
  }

  private void callOnce() {
    answered = false;
    ended = false;
    long beginNanos = System.nanoTime();
    order.begin(this);
    if (!ended) {
      run.fail("a call has not ended where it was made");
    } else if (run.countsCalls()) {
      latencyNanos.record(System.nanoTime() - beginNanos);
    }
  }

  @Override
  public void onMessage(SimpleResponse response) {
    answered = run.checkPayload(StubTarget.payloadBytes(response));
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    ended = true;
    if (!status.isOk()) {
      run.fail("a call ended with " + status);
    } else if (!answered) {
      run.fail("a call ended well without its reply");
    }
  }
}
