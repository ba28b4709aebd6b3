package dev.gannet.benchmarks.load;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/**
 * Reads a stream as fast as it comes and sends another as fast as it is taken, of responses as the
 * first request asks for. Ends when the requests have ended.
 */
final class SinkAndSource implements ServerCall.Listener<SimpleRequest> {
  private final ServerCall<SimpleRequest, SimpleResponse> call;
  private final EndlessResponses source;
  private boolean begun;

  SinkAndSource(ServerCall<SimpleRequest, SimpleResponse> call) {
    this.call = call;
    this.source = new EndlessResponses(call);
  }

  @Override
  public void onMessage(SimpleRequest request) {
    if (!begun) {
      begun = true;
      source.onMessage(request);
      source.onReady();
    }
    call.request(1);
  }

  @Override
  public void onReady() {
    source.onReady();
  }

  @Override
  public void onHalfClose() {
    call.close(Status.OK, new Metadata());
  }
}
