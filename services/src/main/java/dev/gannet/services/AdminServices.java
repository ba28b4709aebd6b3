package dev.gannet.services;

import dev.gannet.server.ServerBuilder;
import dev.gannet.server.ServerExtension;

/**
 * Health, reflection and channelz together. Opens no separate port; every client of the server can
 * call them, unless an interceptor refuses: {@code builder.add(new AdminServices(), it ->
 * it.withInterceptor(interceptor))} intercepts these three alone. To intercept one of them, add
 * them one by one.
 */
public final class AdminServices implements ServerExtension {
  private final HealthService health = new HealthService();
  private final ReflectionService reflection = new ReflectionService();
  private final ChannelzService channelz = new ChannelzService();

  /** Services of one server. */
  public AdminServices() {}

  /** The health service, to set statuses. */
  public HealthService health() {
    return health;
  }

  /** The channelz service, to show channels. */
  public ChannelzService channelz() {
    return channelz;
  }

  @Override
  public void addTo(ServerBuilder builder) {
    builder.add(health).add(reflection).add(channelz);
  }
}
