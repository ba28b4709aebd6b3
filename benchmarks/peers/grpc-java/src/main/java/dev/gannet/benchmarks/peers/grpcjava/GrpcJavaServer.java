package dev.gannet.benchmarks.peers.grpcjava;

import dev.gannet.benchmarks.harness.ServerProgram;
import dev.gannet.benchmarks.peers.stubs.BenchmarkService;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** grpc-java's server: with its defaults, or with handlers on the event loop (mode direct). */
public final class GrpcJavaServer {
  private GrpcJavaServer() {}

  public static void main(String[] args) throws Exception {
    ServerProgram.run(args, GrpcJavaServer::start);
  }

  private static int start(ServerProgram.Options options) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), options.port());
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address).addService(new BenchmarkService());
    if (options.mode().equals("direct")) {
      builder.directExecutor();
    }
    options.tls().ifPresent(it -> builder.useTransportSecurity(it.certificate(), it.key()));
    return builder.build().start().getPort();
  }
}
