package dev.gannet.benchmarks.load;

import dev.gannet.api.ServerCall;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.util.Optional;

/** Sends the response that the only request asks for, again and again until it is cancelled. */
final class EndlessResponses implements ServerCall.Listener<SimpleRequest> {
  private final ServerCall<SimpleRequest, SimpleResponse> call;
  private Optional<SimpleResponse> response = Optional.empty();

  EndlessResponses(ServerCall<SimpleRequest, SimpleResponse> call) {
    this.call = call;
    call.request(1);
  }

  @Override
  public void onMessage(SimpleRequest request) {
    response = Optional.of(BenchmarkHandlers.respond(request));
  }

  @Override
  public void onHalfClose() {
    onReady();
  }

  @Override
  public void onReady() {
    while (response.isPresent() && call.isReady()) {
      call.sendMessage(response.get());
    }
  }
}
