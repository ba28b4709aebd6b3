package dev.gannet.benchmarks.peers.vertx;

import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcMessage;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerResponse;

/** The benchmark service on messages that are objects. */
final class TypedService {
  private static final ServiceName NAME = ServiceName.create("grpc.testing", "BenchmarkService");

  private TypedService() {}

  static void serve(GrpcServer server) {
    server.callHandler(
        method("UnaryCall"),
        request -> request.handler(it -> request.response().end(Responses.to(it))));
    server.callHandler(
        method("StreamingCall"),
        request -> {
          GrpcServerResponse<SimpleRequest, SimpleResponse> response = request.response();
          request.handler(it -> response.write(Responses.to(it)));
          request.endHandler(it -> response.end());
        });
    server.callHandler(
        method("StreamingFromServer"),
        request ->
            request.handler(it ->
                EndlessResponses.of(request, request.response()).flow(encoded(it))));
  }

  private static GrpcMessage encoded(SimpleRequest request) {
    Buffer bytes = Buffer.buffer(Responses.to(request).toByteArray());
    return GrpcMessage.message("identity", bytes);
  }

  private static ServiceMethod<SimpleRequest, SimpleResponse> method(String name) {
    return ServiceMethod.server(
        NAME,
        name,
        GrpcMessageEncoder.encoder(),
        GrpcMessageDecoder.decoder(SimpleRequest.getDefaultInstance()));
  }
}
