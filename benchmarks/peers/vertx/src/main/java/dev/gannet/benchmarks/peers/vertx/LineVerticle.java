package dev.gannet.benchmarks.peers.vertx;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientOptions;
import java.util.Queue;

/** One event loop with its client. */
final class LineVerticle extends VerticleBase {
  private static final long MAX_MESSAGE_BYTES = 4 << 20;

  private final HttpClientOptions http;
  private final SocketAddress server;
  private final Queue<Line> lines;

  LineVerticle(HttpClientOptions http, SocketAddress server, Queue<Line> lines) {
    this.http = http;
    this.server = server;
    this.lines = lines;
  }

  @Override
  public Future<?> start() {
    GrpcClientOptions options = new GrpcClientOptions().setMaxMessageSize(MAX_MESSAGE_BYTES);
    lines.add(new Line(context, GrpcClient.client(vertx, options, http), server));
    return Future.succeededFuture();
  }
}
