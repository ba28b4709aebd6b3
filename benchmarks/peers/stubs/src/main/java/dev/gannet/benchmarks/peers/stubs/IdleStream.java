package dev.gannet.benchmarks.peers.stubs;

import dev.gannet.benchmarks.harness.Run;
import dev.gannet.benchmarks.harness.Target;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/** A bidirectional stream on which a message is exchanged on request, and nothing else. */
final class IdleStream extends ClientCall.Listener<SimpleResponse> implements Target.OpenStream {
  private final SimpleRequest request;
  private final Run run;
  private final ClientCall<SimpleRequest, SimpleResponse> call;

  private IdleStream(Channel channel, SimpleRequest request, Run run) {
    this.request = request;
    this.run = run;
    this.call = channel.newCall(BenchmarkServiceGrpc.getStreamingCallMethod(), CallOptions.DEFAULT);
  }

  static IdleStream open(Channel channel, SimpleRequest request, Run run) {
    IdleStream stream = new IdleStream(channel, request, run);
    stream.call.start(stream, new Metadata());
    return stream;
  }

  @Override
  public void exchange() {
    call.request(1);
    call.sendMessage(request);
  }

  @Override
  public void onMessage(SimpleResponse response) {
    run.checkPayload(StubTarget.payloadBytes(response));
    run.loopEnded();
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    run.fail("a stream ended with " + status);
  }
}
