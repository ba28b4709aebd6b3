package dev.gannet.suites;

import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A resolver as an application might write it: every name has the same address.
 *
 * @param authorities of the servers at the address; empty for one with the channel's
 */
record OneAddress(SocketAddress address, List<String> authorities) implements NameResolverProvider {
  static final String SCHEME = "one";

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public NameResolver create(Target target, NameResolver.Context context) {
    Endpoint endpoint = Endpoint.of(address);
    return new Resolver(
        Resolution.of(
            authorities.isEmpty()
                ? List.of(endpoint)
                : authorities.stream().map(endpoint::withAuthority).toList()));
  }

  private static final class Resolver implements NameResolver {
    private final Resolution resolution;
    private @Nullable Listener listener;

    Resolver(Resolution resolution) {
      this.resolution = resolution;
    }

    @Override
    public void start(Listener listener) {
      this.listener = listener;
      refresh();
    }

    @Override
    public void refresh() {
      if (listener != null) {
        listener.onResult(resolution);
      }
    }

    @Override
    public void shutdown() {
      listener = null;
    }
  }
}
