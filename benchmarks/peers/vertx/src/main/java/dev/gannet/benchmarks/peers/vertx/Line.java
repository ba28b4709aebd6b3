package dev.gannet.benchmarks.peers.vertx;

import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;

/**
 * A connection to a server. Calls belong on its event loop.
 *
 * @param context that event loop
 */
record Line(Context context, GrpcClient client, SocketAddress server) {
  private static final ServiceName NAME = ServiceName.create("grpc.testing", "BenchmarkService");
  private static final ServiceMethod<SimpleResponse, SimpleRequest> UNARY = method("UnaryCall");
  private static final ServiceMethod<SimpleResponse, SimpleRequest> STREAMING =
      method("StreamingCall");
  private static final ServiceMethod<SimpleResponse, SimpleRequest> FROM_SERVER =
      method("StreamingFromServer");

  private static ServiceMethod<SimpleResponse, SimpleRequest> method(String name) {
    return ServiceMethod.client(
        NAME,
        name,
        GrpcMessageEncoder.encoder(),
        GrpcMessageDecoder.decoder(SimpleResponse.getDefaultInstance()));
  }

  /** Runs a task on the event loop. Any thread may call. */
  void run(Runnable action) {
    context.runOnContext(nothing -> action.run());
  }

  Future<GrpcClientRequest<SimpleRequest, SimpleResponse>> unary() {
    return client.request(server, UNARY);
  }

  Future<GrpcClientRequest<SimpleRequest, SimpleResponse>> streaming() {
    return client.request(server, STREAMING);
  }

  Future<GrpcClientRequest<SimpleRequest, SimpleResponse>> fromServer() {
    return client.request(server, FROM_SERVER);
  }
}
