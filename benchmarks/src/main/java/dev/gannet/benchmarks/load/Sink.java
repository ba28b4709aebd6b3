package dev.gannet.benchmarks.load;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/** Reads a stream as fast as it comes, and answers the last request when it has ended. */
final class Sink implements ServerCall.Listener<SimpleRequest> {
  private final ServerCall<SimpleRequest, SimpleResponse> call;
  private SimpleRequest last = SimpleRequest.getDefaultInstance();

  Sink(ServerCall<SimpleRequest, SimpleResponse> call) {
    this.call = call;
    call.request(1);
  }

  @Override
  public void onMessage(SimpleRequest request) {
    last = request;
    call.request(1);
  }

  @Override
  public void onHalfClose() {
    call.sendMessage(BenchmarkHandlers.respond(last));
    call.close(Status.OK, new Metadata());
  }
}
