package dev.gannet.benchmarks.peers.vertx;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;
import java.util.Queue;

/** One event loop with its server. */
final class BenchmarkVerticle extends VerticleBase {
  private static final long MAX_MESSAGE_BYTES = 4 << 20;

  private final HttpServerOptions http;
  private final boolean raw;
  private final Queue<Integer> ports;

  BenchmarkVerticle(HttpServerOptions http, boolean raw, Queue<Integer> ports) {
    this.http = http;
    this.raw = raw;
    this.ports = ports;
  }

  @Override
  public Future<?> start() {
    GrpcServer server =
        GrpcServer.server(vertx, new GrpcServerOptions().setMaxMessageSize(MAX_MESSAGE_BYTES));
    if (raw) {
      RawService.serve(server);
    } else {
      TypedService.serve(server);
    }
    return vertx
        .createHttpServer(http)
        .requestHandler(server)
        .listen()
        .onSuccess(it -> ports.add(it.actualPort()));
  }
}
