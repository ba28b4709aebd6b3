package dev.gannet.examples.operations;

import dev.gannet.examples.greeter.Greeter;
import dev.gannet.examples.greeter.GreeterMethods;
import dev.gannet.server.ServerBuilder;
import dev.gannet.services.HealthService;
import dev.gannet.services.HealthStatus;
import dev.gannet.services.ReflectionService;

/**
 * A greeter with a health service, for load balancers and {@code grpc_health_probe}, and a
 * reflection service, for {@code grpcurl}.
 */
public final class OperableGreeter {
  private final HealthService health = new HealthService();

  /** A greeter that is not ready yet. */
  public OperableGreeter() {
    health.setStatus(GreeterMethods.SERVICE_NAME, HealthStatus.NOT_SERVING);
  }

  /** Adds the greeter, its health and reflection to a server. */
  public ServerBuilder addTo(ServerBuilder builder, Greeter greeter) {
    return builder.add(greeter).add(health).add(new ReflectionService());
  }

  /** Reports that the greeter can serve, for example because its database is available. */
  public void becomeReady() {
    health.setStatus(GreeterMethods.SERVICE_NAME, HealthStatus.SERVING);
  }

  /** Reports that the greeter cannot serve. Load balancers then use other servers. */
  public void becomeUnready() {
    health.setStatus(GreeterMethods.SERVICE_NAME, HealthStatus.NOT_SERVING);
  }
}
