package dev.gannet.benchmarks.peers.grpcjava;

import dev.gannet.benchmarks.harness.CallShape;
import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.StatusOr;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;

/** Resolves {@link #TARGET} to the servers of a workload: grpc-java has no scheme for a list. */
final class ListedServers extends NameResolverProvider {
  static final String TARGET = "listed:///servers";

  private final List<EquivalentAddressGroup> servers;

  ListedServers(CallShape shape) {
    servers =
        shape.ports().stream()
            .map(it -> new EquivalentAddressGroup(new InetSocketAddress(shape.host(), it)))
            .toList();
  }

  @Override
  public String getDefaultScheme() {
    return "listed";
  }

  @Override
  protected boolean isAvailable() {
    return true;
  }

  @Override
  protected int priority() {
    return 0;
  }

  @Override
  public NameResolver newNameResolver(URI target, NameResolver.Args args) {
    return new Listed(servers);
  }

  private static final class Listed extends NameResolver {
    private final List<EquivalentAddressGroup> servers;

    Listed(List<EquivalentAddressGroup> servers) {
      this.servers = servers;
    }

    @Override
    public String getServiceAuthority() {
      return "localhost";
    }

    @Override
    public void start(Listener2 listener) {
      listener.onResult(
          ResolutionResult.newBuilder().setAddressesOrError(StatusOr.fromValue(servers)).build());
    }

    @Override
    public void shutdown() {}
  }
}
