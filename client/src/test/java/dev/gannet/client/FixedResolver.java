package dev.gannet.client;

import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import java.net.InetSocketAddress;
import java.util.Arrays;

/** Knows the addresses from the target: {@code fixed:///192.0.2.1:1,192.0.2.2:1}. */
public final class FixedResolver implements NameResolver {
  private final Resolution resolution;

  @SuppressWarnings("NullAway.Init") // by its start
  private Listener listener;

  private FixedResolver(Target target, String authority) {
    resolution =
        Resolution.of(
            Arrays.stream(target.endpoint().split(","))
                .map(it -> it.split(":"))
                .map(it -> Endpoint.of(new InetSocketAddress(it[0], Integer.parseInt(it[1]))))
                .map(it -> authority.isEmpty() ? it : it.withAuthority(authority))
                .toList());
  }

  /**
   * As an application gives it to the builder.
   *
   * @param authority of the endpoints; empty for the channel's
   */
  public record Provider(String scheme, String authority) implements NameResolverProvider {
    Provider(String scheme) {
      this(scheme, "");
    }

    @Override
    public NameResolver create(Target target, Context context) {
      return new FixedResolver(target, authority);
    }
  }

  /** As {@code ServiceLoader} finds it. */
  public static final class Found implements NameResolverProvider {
    @Override
    public String scheme() {
      return "found";
    }

    @Override
    public String authority(Target target) {
      return "found.example";
    }

    @Override
    public NameResolver create(Target target, NameResolver.Context context) {
      return new FixedResolver(target, "");
    }
  }

  @Override
  public void start(Listener listener) {
    this.listener = listener;
    refresh();
  }

  @Override
  public void refresh() {
    listener.onResult(resolution);
  }

  @Override
  public void shutdown() {}
}
