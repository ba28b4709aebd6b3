package dev.gannet.benchmarks.peers.helidon;

import dev.gannet.benchmarks.harness.CallShape;
import dev.gannet.benchmarks.harness.ClientProgram;
import dev.gannet.benchmarks.harness.Target;
import dev.gannet.benchmarks.peers.stubs.StubTarget;
import io.grpc.Channel;
import io.helidon.common.configurable.Resource;
import io.helidon.common.pki.Keys;
import io.helidon.common.tls.Tls;
import io.helidon.webclient.grpc.GrpcClient;
import java.io.File;
import java.util.stream.Stream;

/** Helidon's client: a call runs on the calling thread, a virtual one, as the library intends. */
public final class HelidonClient {
  private HelidonClient() {}

  public static void main(String[] args) throws Exception {
    long mainNanos = System.nanoTime();
    ClientProgram.run(args, mainNanos, HelidonClient::connect);
  }

  private static Target connect(CallShape shape) {
    return new StubTarget(
        shape,
        Stream.generate(() -> channel(shape)).limit(shape.channels()).toList(),
        StubTarget.Way.IN_PLACE);
  }

  private static Channel channel(CallShape shape) {
    Tls tls =
        shape
            .trust()
            .map(HelidonClient::trusting)
            .orElseGet(() -> Tls.builder().enabled(false).build());
    String scheme = shape.trust().isPresent() ? "https" : "http";
    return GrpcClient.builder()
        .baseUri(scheme + "://localhost:" + shape.port())
        .tls(tls)
        .socketOptions(it -> it.tcpNoDelay(true))
        .shareConnectionCache(false)
        .build()
        .channel();
  }

  private static Tls trusting(File certificate) {
    Keys keys =
        Keys.builder().pem(it -> it.certificates(Resource.create(certificate.toPath()))).build();
    return Tls.builder().trust(keys).build();
  }
}
