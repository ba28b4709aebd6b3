package dev.gannet.benchmarks.peers.armeria;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.gannet.benchmarks.harness.ServerProgram;
import dev.gannet.benchmarks.peers.stubs.BenchmarkService;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Armeria's server, with handlers on the event loop, which is its default. Limits that would end
 * long streams and idle connections are off, and so are the headers that gRPC does not need.
 */
public final class ArmeriaServer {
  private ArmeriaServer() {}

  public static void main(String[] args) throws Exception {
    ServerProgram.run(args, ArmeriaServer::start);
  }

  private static int start(ServerProgram.Options options) {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), options.port());
    ServerBuilder builder =
        Server.builder()
            .requestTimeoutMillis(0)
            .idleTimeoutMillis(0)
            .maxRequestLength(0)
            .disableServerHeader()
            .disableDateHeader()
            .service(GrpcService.builder().addService(new BenchmarkService()).build());
    if (options.tls().isPresent()) {
      ServerProgram.Tls tls = options.tls().get();
      builder.https(address).tls(tls.certificate(), tls.key());
    } else {
      builder.http(address);
    }
    Server server = builder.build();
    server.start().join();
    return server.activeLocalPort();
  }
}
