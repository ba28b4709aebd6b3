package dev.gannet.benchmarks.peers.armeria;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.SessionProtocol;
import dev.gannet.benchmarks.harness.CallShape;
import dev.gannet.benchmarks.harness.ClientProgram;
import dev.gannet.benchmarks.harness.Target;
import dev.gannet.benchmarks.peers.stubs.StubTarget;
import io.grpc.Channel;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc.BenchmarkServiceBlockingStub;
import java.util.stream.Stream;

/**
 * Armeria's client, with listeners on the event loop, which is its default. Each channel has its
 * own factory, because channels of one factory share a connection. Limits that would end long
 * streams and idle connections are off.
 */
public final class ArmeriaClient {
  private static final String NAME_IN_CERTIFICATE = "localhost";

  private ArmeriaClient() {}

  public static void main(String[] args) throws Exception {
    long mainNanos = System.nanoTime();
    ClientProgram.run(args, mainNanos, ArmeriaClient::connect);
  }

  private static Target connect(CallShape shape) {
    return new StubTarget(
        shape,
        Stream.generate(() -> channel(shape)).limit(shape.channels()).toList(),
        StubTarget.Way.EVENT_LOOP);
  }

  private static Channel channel(CallShape shape) {
    ClientFactoryBuilder factory = ClientFactory.builder().idleTimeoutMillis(0);
    shape.trust().ifPresent(it -> factory.tlsCustomizer(tls -> tls.trustManager(it)));
    SessionProtocol protocol = shape.trust().isPresent() ? SessionProtocol.H2 : SessionProtocol.H2C;
    Endpoint server = Endpoint.of(NAME_IN_CERTIFICATE, shape.port()).withIpAddr(shape.host());
    return GrpcClients.builder(protocol, server)
        .factory(factory.build())
        .responseTimeoutMillis(0)
        .maxResponseLength(0)
        .build(BenchmarkServiceBlockingStub.class)
        .getChannel();
  }
}
