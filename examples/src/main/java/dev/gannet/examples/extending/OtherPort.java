package dev.gannet.examples.extending;

import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.ForwardingNameResolver;
import dev.gannet.client.resolver.ForwardingNameResolverProvider;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/**
 * Finds what another resolver finds, at another port: that of a proxy that runs beside each server,
 * for example.
 */
public final class OtherPort extends ForwardingNameResolverProvider {
  private final int port;

  /**
   * Has the names looked up by another resolver.
   *
   * @param port replaces the one that the names have
   */
  public OtherPort(NameResolverProvider names, int port) {
    super(names);
    this.port = port;
  }

  @Override
  public NameResolver create(Target target, NameResolver.Context context) {
    return new Resolver(super.create(target, context));
  }

  private final class Resolver extends ForwardingNameResolver {
    Resolver(NameResolver names) {
      super(names);
    }

    @Override
    protected Resolution revise(Resolution result) {
      return switch (result) {
        case Resolution.Resolved found ->
            found.withEndpoints(found.endpoints().stream().map(this::atPort).toList());
        case Resolution.Failed failed -> failed;
      };
    }

    private Endpoint atPort(Endpoint endpoint) {
      return endpoint.withAddresses(endpoint.addresses().stream().map(this::atPort).toList());
    }

    private SocketAddress atPort(SocketAddress address) {
      return address instanceof InetSocketAddress host && !host.isUnresolved()
          ? new InetSocketAddress(host.getAddress(), port)
          : address;
    }
  }
}
