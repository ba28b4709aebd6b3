package dev.gannet.benchmarks.load;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/** Answers each request of a stream with one response, and reads no faster than it can answer. */
final class PingPong implements ServerCall.Listener<SimpleRequest> {
  private final ServerCall<SimpleRequest, SimpleResponse> call;
  private boolean waitsToRead;

  PingPong(ServerCall<SimpleRequest, SimpleResponse> call) {
    this.call = call;
    call.request(1);
  }

  @Override
  public void onMessage(SimpleRequest request) {
    call.sendMessage(BenchmarkHandlers.respond(request));
    waitsToRead = true;
    onReady();
  }

  @Override
  public void onReady() {
    if (waitsToRead && call.isReady()) {
      waitsToRead = false;
      call.request(1);
    }
  }

  @Override
  public void onHalfClose() {
    call.close(Status.OK, new Metadata());
  }
}
