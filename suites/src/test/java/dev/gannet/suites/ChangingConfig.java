package dev.gannet.suites;

import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A resolver whose name keeps its address while its service config changes. */
final class ChangingConfig implements NameResolverProvider, NameResolver {
  static final String SCHEME = "changing";

  private ServiceConfig current;
  private @Nullable Listener listener;

  /** With this config until another is published. */
  ChangingConfig(ServiceConfig current) {
    this.current = current;
  }

  /** The channel gets another config. */
  void publish(ServiceConfig next) {
    current = next;
    refresh();
  }

  @Override
  public String scheme() {
    return SCHEME;
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
    if (listener != null) {
      Endpoint endpoint = Endpoint.of(new InetSocketAddress(Simulation.HOST, Simulation.PORT));
      listener.onResult(current.addTo(Resolution.of(List.of(endpoint))));
    }
  }

  @Override
  public void shutdown() {
    listener = null;
  }
}
