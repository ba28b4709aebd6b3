package dev.gannet.benchmarks.peers.grpcjava;

import dev.gannet.benchmarks.harness.Run;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/** A stream each way on which one message has gone each way, and nothing happens any more. */
final class IdleStream extends ClientCall.Listener<SimpleResponse> {
  private final Run run;
  private final ClientCall<SimpleRequest, SimpleResponse> call;

  IdleStream(Channel channel, Run run) {
    this.run = run;
    this.call = channel.newCall(BenchmarkServiceGrpc.getStreamingCallMethod(), CallOptions.DEFAULT);
  }

  void open(SimpleRequest request) {
    call.start(this, new Metadata());
    call.request(1);
    call.sendMessage(request);
  }

  @Override
  public void onMessage(SimpleResponse response) {
    run.isRight(GrpcJavaTarget.payloadBytes(response));
    run.loopEnded();
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    run.fail("a stream ended with " + status);
  }
}
