package dev.gannet.benchmarks.peers.grpcjava;

import dev.gannet.benchmarks.harness.CallShape;
import dev.gannet.benchmarks.harness.ClientProgram;
import dev.gannet.benchmarks.harness.Target;
import dev.gannet.benchmarks.peers.stubs.StubTarget;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.util.stream.Stream;

/** grpc-java's client. Listeners are called on the event loop: directExecutor. */
public final class GrpcJavaClient {
  private static final String NAME_IN_CERTIFICATE = "localhost";

  private GrpcJavaClient() {}

  public static void main(String[] args) throws Exception {
    long mainNanos = System.nanoTime();
    ClientProgram.run(args, mainNanos, GrpcJavaClient::connect);
  }

  private static Target connect(CallShape shape) throws IOException {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(shape.host(), shape.port()).directExecutor();
    if (shape.trust().isPresent()) {
      builder
          .sslContext(GrpcSslContexts.forClient().trustManager(shape.trust().get()).build())
          .overrideAuthority(NAME_IN_CERTIFICATE);
    } else {
      builder.usePlaintext();
    }
    return new StubTarget(
        shape,
        Stream.generate(builder::build).limit(shape.channels()).toList(),
        StubTarget.Way.EVENT_LOOP);
  }
}
