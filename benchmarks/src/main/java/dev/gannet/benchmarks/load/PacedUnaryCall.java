package dev.gannet.benchmarks.load;

import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.benchmarks.harness.Latencies;
import dev.gannet.benchmarks.harness.Run;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/** One unary call whose latency counts from when it was meant to begin. */
final class PacedUnaryCall implements ClientCall.Listener<SimpleResponse> {
  private final Run run;
  private final Latencies latencyNanos;
  private final long intendedNanos;
  private boolean answered;

  PacedUnaryCall(Run run, Latencies latencyNanos, long intendedNanos) {
    this.run = run;
    this.latencyNanos = latencyNanos;
    this.intendedNanos = intendedNanos;
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
    } else {
      latencyNanos.record(System.nanoTime() - intendedNanos);
    }
    run.loopEnded();
  }
}
