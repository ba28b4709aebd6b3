package dev.gannet.benchmarks.peers.vertx;

import io.vertx.grpc.common.GrpcMessage;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;

/** Sends a message again and again, as fast as it is read, until the client cancels. */
final class EndlessResponses {
  private final GrpcServerResponse<?, ?> response;
  private boolean over;

  private EndlessResponses(GrpcServerResponse<?, ?> response) {
    this.response = response;
  }

  static EndlessResponses of(GrpcServerRequest<?, ?> request, GrpcServerResponse<?, ?> response) {
    EndlessResponses source = new EndlessResponses(response);
    request.exceptionHandler(it -> source.over = true);
    request.errorHandler(it -> source.over = true);
    response.exceptionHandler(it -> source.over = true);
    return source;
  }

  void flow(GrpcMessage message) {
    while (!over && !response.writeQueueFull()) {
      response.writeMessage(message);
    }
    if (!over) {
      response.drainHandler(it -> flow(message));
    }
  }
}
