package dev.gannet.benchmarks;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import io.grpc.benchmarks.proto.BenchmarkServiceMethods;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import org.HdrHistogram.Histogram;

/** Unary calls one after the other, on whatever thread the end of the one before is told. */
final class AsyncUnaryLoop implements Loop, ClientCall.Listener<SimpleResponse> {
  private final Channel channel;
  private final Run run;
  private final Histogram latencyNanos;
  private long beginNanos;
  private boolean answered;

  AsyncUnaryLoop(Channel channel, Run run, Histogram latencyNanos) {
    this.channel = channel;
    this.run = run;
    this.latencyNanos = latencyNanos;
  }

  @Override
  public void start() {
    answered = false;
    beginNanos = System.nanoTime();
    ClientCall<SimpleRequest, SimpleResponse> call =
        channel.newCall(BenchmarkServiceMethods.UNARY_CALL, CallOptions.DEFAULT);
    call.start(this, new Metadata());
    call.request(1);
    call.sendMessage(run.request());
    call.halfClose();
  }

  @Override
  public void onMessage(SimpleResponse response) {
    answered = run.isRight(response);
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (!status.isOk()) {
      run.fail("a call ended with " + status);
    } else if (!answered) {
      run.fail("a call ended well without its reply");
    } else if (run.isMeasuring()) {
      latencyNanos.recordValue(System.nanoTime() - beginNanos);
    }
    if (run.isOver()) {
      run.loopEnded();
    } else {
      start();
    }
  }
}
