package dev.gannet.benchmarks.load;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.benchmarks.harness.Run;
import io.grpc.benchmarks.proto.BenchmarkServiceMethods;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/** A stream each way on which one message has gone each way, and nothing happens any more. */
final class IdleStream implements ClientCall.Listener<SimpleResponse> {
  private final Run run;
  private final ClientCall<SimpleRequest, SimpleResponse> call;

  IdleStream(Channel channel, Run run) {
    this.run = run;
    this.call = channel.newCall(BenchmarkServiceMethods.STREAMING_CALL, CallOptions.DEFAULT);
  }

  void open(SimpleRequest request) {
    call.start(this, new Metadata());
    call.request(1);
    call.sendMessage(request);
  }

  @Override
  public void onMessage(SimpleResponse response) {
    run.isRight(Requests.payloadBytes(response));
    run.loopEnded();
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    run.fail("a stream ended with " + status);
  }
}
