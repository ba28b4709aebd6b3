package dev.gannet.benchmarks.load;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.benchmarks.harness.Latencies;
import dev.gannet.benchmarks.harness.Run;
import io.grpc.benchmarks.proto.BenchmarkServiceMethods;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/** One stream each way, on which a request follows the response to the one before. */
final class AsyncStreamLoop implements Loop, ClientCall.Listener<SimpleResponse> {
  private final SimpleRequest request;
  private final Run run;
  private final Latencies latencyNanos;
  private final ClientCall<SimpleRequest, SimpleResponse> call;
  private long beginNanos;
  private boolean answered;

  AsyncStreamLoop(Channel channel, SimpleRequest request, Run run, Latencies latencyNanos) {
    this.request = request;
    this.run = run;
    this.latencyNanos = latencyNanos;
    this.call = channel.newCall(BenchmarkServiceMethods.STREAMING_CALL, CallOptions.DEFAULT);
  }

  @Override
  public void start() {
    call.start(this);
    send();
  }

  private void send() {
    answered = false;
    beginNanos = System.nanoTime();
    call.request(1);
    call.sendMessage(request);
  }

  @Override
  public void onMessage(SimpleResponse response) {
    if (run.checkPayload(Requests.payloadBytes(response)) && run.countsCalls()) {
      latencyNanos.record(System.nanoTime() - beginNanos);
    }
    answered = true;
    if (run.isOver()) {
      call.halfClose();
    } else {
      send();
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (!status.isOk() || !run.isOver()) {
      run.fail("a stream ended with " + status);
    } else if (!answered) {
      run.fail("a stream ended well without its last reply");
    }
    run.loopEnded();
  }
}
