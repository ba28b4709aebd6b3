package dev.gannet.benchmarks.peers.vertx;

import dev.gannet.benchmarks.harness.CallShape;
import dev.gannet.benchmarks.harness.ClientProgram;
import dev.gannet.benchmarks.harness.Target;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Vert.x's client on its event loops, with the native transport: messages as objects, calls by
 * futures. Each channel is a client with one connection and a loop of its own.
 */
public final class VertxClient {
  private static final String NAME_IN_CERTIFICATE = "localhost";

  private VertxClient() {}

  public static void main(String[] args) throws Exception {
    long mainNanos = System.nanoTime();
    ClientProgram.run(args, mainNanos, VertxClient::connect);
  }

  private static Target connect(CallShape shape) throws InterruptedException {
    Vertx vertx = NativeVertx.start();
    HttpClientOptions http = new HttpClientOptions().setHttp2ClearTextUpgrade(false);
    shape.trust().ifPresent(it -> encrypt(http, it.getPath()));
    String host = shape.trust().isPresent() ? NAME_IN_CERTIFICATE : shape.host();
    SocketAddress server = SocketAddress.inetSocketAddress(shape.port(), host);
    BlockingQueue<Line> lines = new LinkedBlockingQueue<>();
    vertx.deployVerticle(
        () -> new LineVerticle(http, server, lines),
        new DeploymentOptions().setInstances(shape.channels()));
    List<Line> all = new ArrayList<>();
    while (all.size() < shape.channels()) {
      all.add(lines.take());
    }
    return new VertxTarget(shape, all);
  }

  private static void encrypt(HttpClientOptions http, String certificate) {
    http.setSsl(true)
        .setUseAlpn(true)
        .setSslEngineOptions(new OpenSSLEngineOptions())
        .setTrustOptions(new PemTrustOptions().addCertPath(certificate));
  }
}
