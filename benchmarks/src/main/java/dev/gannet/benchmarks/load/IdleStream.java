package dev.gannet.benchmarks.load;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.benchmarks.harness.Run;
import dev.gannet.benchmarks.harness.Target;
import io.grpc.benchmarks.proto.BenchmarkServiceMethods;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/**
 * A stream each way on which a message goes to and fro when that is asked for, and nothing
 * otherwise.
 */
final class IdleStream implements ClientCall.Listener<SimpleResponse>, Target.OpenStream {
  private final SimpleRequest request;
  private final Run run;
  private final ClientCall<SimpleRequest, SimpleResponse> call;

  private IdleStream(Channel channel, SimpleRequest request, Run run) {
    this.request = request;
    this.run = run;
    this.call = channel.newCall(BenchmarkServiceMethods.STREAMING_CALL, CallOptions.DEFAULT);
  }

  static IdleStream open(Channel channel, SimpleRequest request, Run run) {
    IdleStream stream = new IdleStream(channel, request, run);
    stream.call.start(stream);
    return stream;
  }

  @Override
  public void exchange() {
    call.request(1);
    call.sendMessage(request);
  }

  @Override
  public void onMessage(SimpleResponse response) {
    run.checkPayload(Requests.payloadBytes(response));
    run.loopEnded();
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    run.fail("a stream ended with " + status);
  }
}
