package dev.gannet.benchmarks.peers.stubs;

import dev.gannet.benchmarks.harness.Latencies;
import dev.gannet.benchmarks.harness.Run;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/** One bidirectional stream, on which each request follows the response to the previous one. */
final class PingPongLoop extends ClientCall.Listener<SimpleResponse> {
  private final SimpleRequest request;
  private final Run run;
  private final Latencies latencyNanos;
  private final ClientCall<SimpleRequest, SimpleResponse> call;
  private long beginNanos;
  private boolean answered;

  PingPongLoop(Channel channel, SimpleRequest request, Run run, Latencies latencyNanos) {
    this.request = request;
    this.run = run;
    this.latencyNanos = latencyNanos;
    this.call = channel.newCall(BenchmarkServiceGrpc.getStreamingCallMethod(), CallOptions.DEFAULT);
  }

  void start() {
    call.start(this, new Metadata());
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
    if (run.checkPayload(StubTarget.payloadBytes(response)) && run.countsCalls()) {
      latencyNanos.record(System.nanoTime() - beginNanos);
    }
    answered = true;
    if (run.isOver()) {
      call.request(1); // some libraries report the end only if more is requested
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
