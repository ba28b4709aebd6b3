package dev.gannet.services;

import dev.gannet.server.ServerBuilder;
import dev.gannet.server.ServerExtension;

/**
 * All services for those who run a server, at once: health, reflection and channelz. Opens no port
 * of its own; whoever can call the server can call them, unless an interceptor refuses.
 */
public final class AdminServices implements ServerExtension {
  private final HealthService health = new HealthService();
  private final ReflectionService reflection = new ReflectionService();
  private final ChannelzService channelz = new ChannelzService();

  /** Services of one server. */
  public AdminServices() {}

  /** Where to say how services are. */
  public HealthService health() {
    return health;
  }

  /** Where to say which channels are shown. */
  public ChannelzService channelz() {
    return channelz;
  }

  @Override
  public void addTo(ServerBuilder builder) {
    builder.add(health).add(reflection).add(channelz);
  }
}
