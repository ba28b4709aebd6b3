package dev.gannet.examples.pages;

import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Resolves {@code ports:///host} to the ports of a list, and looks at the list every minute.
 *
 * @param ports the ports now
 */
record PolledPorts(Supplier<List<Integer>> ports) implements NameResolverProvider {
  private static final Duration EACH = Duration.ofMinutes(1);

  @Override
  public String scheme() {
    return "ports";
  }

  @Override
  public NameResolver create(Target target, NameResolver.Context context) {
    return new Polling(target.endpoint(), ports, context);
  }

  private static final class Polling implements NameResolver {
    private final String host;
    private final Supplier<List<Integer>> ports;
    private final Context context;
    private Listener listener = result -> {};

    Polling(String host, Supplier<List<Integer>> ports, Context context) {
      this.host = host;
      this.ports = ports;
      this.context = context;
    }

    @Override
    public void start(Listener listener) {
      this.listener = listener;
      poll();
    }

    private void poll() {
      refresh();
      context.schedule(this::poll, EACH);
    }

    @Override
    public void refresh() {
      listener.onResult(
          Resolution.of(
              ports.get().stream()
                  .map(port -> Endpoint.of(InetSocketAddress.createUnresolved(host, port)))
                  .toList()));
    }

    @Override
    public void shutdown() {}
  }
}
