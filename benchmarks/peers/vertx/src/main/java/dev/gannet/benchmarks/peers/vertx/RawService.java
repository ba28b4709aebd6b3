package dev.gannet.benchmarks.peers.vertx;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcMessage;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;

/** The benchmark service on bytes; an empty request is answered without protobuf. */
final class RawService {
  private static final GrpcMessage EMPTY = GrpcMessage.message("identity", Buffer.buffer());

  private RawService() {}

  static void serve(GrpcServer server) {
    server.callHandler(RawService::handle);
  }

  private static void handle(GrpcServerRequest<Buffer, Buffer> request) {
    GrpcServerResponse<Buffer, Buffer> response = request.response();
    switch (request.methodName()) {
      case "UnaryCall" -> request.messageHandler(it -> response.endMessage(respond(it)));
      case "StreamingCall" -> {
        request.messageHandler(it -> response.writeMessage(respond(it)));
        request.endHandler(it -> response.end());
      }
      case "StreamingFromServer" ->
          request.messageHandler(it -> EndlessResponses.of(request, response).flow(respond(it)));
      default -> response.fail(new UnsupportedOperationException(request.methodName()));
    }
  }

  private static GrpcMessage respond(GrpcMessage request) {
    Buffer payload = request.payload();
    if (payload.length() == 0) {
      return EMPTY;
    }
    try {
      SimpleRequest parsed = SimpleRequest.parseFrom(payload.getBytes());
      byte[] response = Responses.to(parsed).toByteArray();
      return GrpcMessage.message("identity", Buffer.buffer(response));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
