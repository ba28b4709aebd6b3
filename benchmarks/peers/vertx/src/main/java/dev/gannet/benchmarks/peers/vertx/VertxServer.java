package dev.gannet.benchmarks.peers.vertx;

import dev.gannet.benchmarks.harness.ServerProgram;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Vert.x's server on its event loops, one verticle for each core, with the native transport. Mode
 * typed takes messages as objects, mode raw as bytes.
 */
public final class VertxServer {
  /** Verticles that request this port share a free one. */
  private static final int ANY_SHARED_PORT = -1;

  private VertxServer() {}

  public static void main(String[] args) throws Exception {
    ServerProgram.run(args, VertxServer::start);
  }

  private static int start(ServerProgram.Options options) throws InterruptedException {
    Vertx vertx = NativeVertx.start();
    HttpServerOptions http =
        new HttpServerOptions()
            .setHost(ServerProgram.Options.HOST)
            .setPort(options.port() == 0 ? ANY_SHARED_PORT : options.port());
    options.tls().ifPresent(it -> encrypt(http, it));
    boolean raw = options.mode().equals("raw");
    BlockingQueue<Integer> ports = new LinkedBlockingQueue<>();
    DeploymentOptions instances =
        new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors());
    vertx
        .deployVerticle(() -> new BenchmarkVerticle(http, raw, ports), instances)
        .toCompletionStage()
        .toCompletableFuture()
        .join();
    return ports.take();
  }

  private static void encrypt(HttpServerOptions http, ServerProgram.Tls tls) {
    http.setSsl(true)
        .setUseAlpn(true)
        .setSslEngineOptions(new OpenSSLEngineOptions())
        .setKeyCertOptions(
            new PemKeyCertOptions()
                .setCertPath(tls.certificate().getPath())
                .setKeyPath(tls.key().getPath()));
  }
}
