package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import dev.gannet.server.Server;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Service configs change how many connections there may be, while many threads call: no call fails
 * or waits forever, and no stream counts as used afterwards.
 */
@Timeout(120)
final class ChangingConnectionsTest {
  private static final byte[] MESSAGE = {1, 2, 3};
  private static final int STREAMS = 2;
  private static final int THREADS = 16;
  private static final int CALLS = 200;

  /** A resolver of one address, with such a service config. */
  private static final class Configs implements NameResolverProvider, NameResolver {
    private final Endpoint endpoint;
    private volatile int connections = 1;
    private volatile Listener listener = result -> {};

    Configs(Server server) {
      endpoint =
          Endpoint.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    }

    void allow(int connections) {
      this.connections = connections;
      refresh();
    }

    @Override
    public String scheme() {
      return "configs";
    }

    @Override
    public NameResolver create(Target target, NameResolver.Context context) {
      return this;
    }

    @Override
    public void start(Listener listener) {
      this.listener = listener;
      refresh();
    }

    @Override
    public void refresh() {
      ServiceConfig config =
          ServiceConfig.builder().maxConnectionsPerSubchannel(connections).build();
      listener.onResult(config.addTo(Resolution.of(List.of(endpoint))));
    }

    @Override
    public void shutdown() {
      listener = result -> {};
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pick_first", "least_request_experimental"})
  void noCallIsLost(String policy) throws Exception {
    try (Server server =
        Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .maxConcurrentCallsPerConnection(STREAMS)
            .add(EchoService.definition())
            .start()) {
      Configs configs = new Configs(server);
      try (ManagedChannel channel =
          ManagedChannel.builder("configs:///server")
              .addNameResolver(configs)
              .loadBalancer(policy(policy))
              .plaintext()
              .build()) {
        callWhileItChanges(channel, configs);
        assertThat(channel.pendingCalls()).isZero();
        configs.allow(2);
        fillAllStreams(channel);
      }
    }
  }

  private static LoadBalancerProvider policy(String name) {
    return name.equals("pick_first")
        ? LoadBalancerProvider.pickFirst()
        : LoadBalancerProvider.leastRequest(2);
  }

  private static void callWhileItChanges(ManagedChannel channel, Configs configs) throws Exception {
    List<Future<List<Status>>> threads = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < THREADS; i++) {
        int first = i;
        Callable<List<Status>> calls = () -> makeCalls(channel, configs, first);
        threads.add(executor.submit(calls));
      }
      for (Future<List<Status>> thread : threads) {
        assertThat(thread.get()).hasSize(CALLS).containsOnly(Status.OK);
      }
    }
  }

  private static List<Status> makeCalls(ManagedChannel channel, Configs configs, int first)
      throws Exception {
    List<Status> ends = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      if (i % 10 == 0) {
        configs.allow(1 + (first + i / 10) % 3);
      }
      ends.add(Caller.call(channel, MESSAGE));
    }
    return ends;
  }

  private static void fillAllStreams(ManagedChannel channel) throws Exception {
    List<Caller> streams = new ArrayList<>();
    for (int i = 0; i < 2 * STREAMS; i++) {
      streams.add(Caller.begin(channel, EchoService.STREAM, MESSAGE));
    }
    for (Caller stream : streams) {
      stream.awaitAnswer().halfClose();
    }
    for (Caller stream : streams) {
      assertThat(stream.status()).isEqualTo(Status.OK);
    }
  }
}
