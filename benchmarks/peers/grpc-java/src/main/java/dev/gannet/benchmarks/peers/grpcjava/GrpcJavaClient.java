package dev.gannet.benchmarks.peers.grpcjava;

import dev.gannet.benchmarks.harness.CallShape;
import dev.gannet.benchmarks.harness.ClientProgram;
import dev.gannet.benchmarks.harness.Target;
import dev.gannet.benchmarks.peers.stubs.StubTarget;
import io.grpc.ManagedChannel;
import io.grpc.NameResolverRegistry;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** grpc-java's client. Listeners are called on the event loop: directExecutor. */
public final class GrpcJavaClient {
  private static final String NAME_IN_CERTIFICATE = "localhost";

  private static final Map<String, Object> RETRIES =
      Map.of(
          "methodConfig",
          List.of(
              Map.of(
                  "name",
                  List.of(Map.of()),
                  "retryPolicy",
                  Map.of(
                      "maxAttempts",
                      3.0,
                      "initialBackoff",
                      "0.01s",
                      "maxBackoff",
                      "0.1s",
                      "backoffMultiplier",
                      2.0,
                      "retryableStatusCodes",
                      List.of("UNAVAILABLE")))));

  private GrpcJavaClient() {}

  public static void main(String[] args) throws Exception {
    long mainNanos = System.nanoTime();
    ClientProgram.run(args, mainNanos, GrpcJavaClient::connect);
  }

  private static Target connect(CallShape shape) throws IOException {
    if (shape.isSpread()) {
      return new StubTarget(shape, spread(shape), StubTarget.Way.EVENT_LOOP);
    }
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

  /**
   * The same number of connections with each policy: one to each server, for as many channels as
   * servers.
   */
  private static List<ManagedChannel> spread(CallShape shape) {
    int servers = shape.ports().size();
    NameResolverRegistry.getDefaultRegistry().register(new ListedServers(shape));
    List<ManagedChannel> channels = new ArrayList<>();
    for (int i = 0; i < shape.channels(); i++) {
      NettyChannelBuilder one =
          NettyChannelBuilder.forAddress(shape.host(), shape.ports().get(i % servers));
      switch (shape.policy()) {
        case IN_TURN -> throw new IllegalArgumentException("grpc-java's client has no IN_TURN");
        case NONE -> channels.add(one.directExecutor().usePlaintext().build());
        case RETRIES ->
            channels.add(
                one.directExecutor()
                    .usePlaintext()
                    .defaultServiceConfig(RETRIES)
                    .build()); // retries are on by default
        case ROUND_ROBIN ->
            channels.add(
                i % servers == 0
                    ? NettyChannelBuilder.forTarget(ListedServers.TARGET)
                        .defaultLoadBalancingPolicy("round_robin")
                        .directExecutor()
                        .usePlaintext()
                        .build()
                    : channels.get(channels.size() - 1));
      }
    }
    return channels;
  }
}
