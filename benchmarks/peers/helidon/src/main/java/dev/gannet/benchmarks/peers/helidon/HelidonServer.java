package dev.gannet.benchmarks.peers.helidon;

import dev.gannet.benchmarks.harness.ServerProgram;
import dev.gannet.benchmarks.peers.stubs.BenchmarkService;
import io.grpc.benchmarks.proto.Services;
import io.helidon.common.configurable.Resource;
import io.helidon.common.pki.Keys;
import io.helidon.common.tls.Tls;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.grpc.GrpcRouting;
import java.io.File;

/**
 * Helidon's server: each stream on a virtual thread, as the library intends. Without TCP_NODELAY,
 * which is off by default, a single call takes 40 ms.
 */
public final class HelidonServer {
  private HelidonServer() {}

  public static void main(String[] args) throws Exception {
    ServerProgram.run(args, HelidonServer::start);
  }

  private static int start(ServerProgram.Options options) {
    WebServerConfig.Builder builder =
        WebServer.builder()
            .host(ServerProgram.Options.HOST)
            .port(options.port())
            .connectionOptions(it -> it.tcpNoDelay(true))
            .addRouting(
                GrpcRouting.builder().service(Services.getDescriptor(), new BenchmarkService()));
    options.tls().ifPresent(it -> builder.tls(tls(it)));
    return builder.build().start().port();
  }

  private static Tls tls(ServerProgram.Tls files) {
    Keys keys =
        Keys.builder()
            .pem(it -> it.key(resource(files.key())).certChain(resource(files.certificate())))
            .build();
    return Tls.builder().privateKey(keys).privateKeyCertChain(keys).build();
  }

  private static Resource resource(File file) {
    return Resource.create(file.toPath());
  }
}
