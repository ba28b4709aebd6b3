package dev.gannet.client;

import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.HostPort;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Resolves the target of a channel that was created with an address to that address. */
record AddressResolverProvider(SocketAddress address) implements NameResolverProvider {
  private static final String NO_HOST = "localhost";

  @Override
  public String scheme() {
    return "address";
  }

  /** Host and port; {@code localhost} if the address has none. */
  @Override
  public String authority(Target target) {
    return address instanceof InetSocketAddress inet
        ? HostPort.of(inet.getHostString(), inet.getPort()).toString()
        : NO_HOST;
  }

  @Override
  public String describe(Target target) {
    return address.toString();
  }

  @Override
  public boolean bringsServiceConfig() {
    return false;
  }

  @Override
  public NameResolver create(Target target, NameResolver.Context context) {
    return new AddressResolver(address);
  }

  private static final class AddressResolver implements NameResolver {
    private final Resolution resolution;
    private @Nullable Listener listener;

    AddressResolver(SocketAddress address) {
      this.resolution = Resolution.of(List.of(Endpoint.of(address)));
    }

    @Override
    public void start(Listener listener) {
      this.listener = listener;
      listener.onResult(resolution);
    }

    @Override
    public void refresh() {
      Listener receiver = listener;
      if (receiver != null) {
        receiver.onResult(resolution);
      }
    }

    @Override
    public void shutdown() {}
  }
}
