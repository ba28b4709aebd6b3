package dev.gannet.examples.operations;

import dev.gannet.examples.greeter.Greeter;
import dev.gannet.examples.greeter.GreeterMethods;
import dev.gannet.server.ServerBuilder;
import dev.gannet.services.HealthService;
import dev.gannet.services.HealthStatus;
import dev.gannet.services.ReflectionService;

/**
 * A greeter that tells how it is, to load balancers and to {@code grpc_health_probe}, and what its
 * methods are, to {@code grpcurl}.
 */
public final class OperableGreeter {
  private final HealthService health = new HealthService();

  /** A greeter that is not ready yet. */
  public OperableGreeter() {
    health.setStatus(GreeterMethods.SERVICE_NAME, HealthStatus.NOT_SERVING);
  }

  /** Adds the greeter and what is said of it to a server that is being built. */
  public ServerBuilder addTo(ServerBuilder builder, Greeter greeter) {
    return builder.add(greeter).add(health).add(new ReflectionService());
  }

  /** What the greeter needs is there: its database answers, say. */
  public void becomeReady() {
    health.setStatus(GreeterMethods.SERVICE_NAME, HealthStatus.SERVING);
  }

  /** Something is missing. Calls are still served, but balancers send them elsewhere. */
  public void becomeUnready() {
    health.setStatus(GreeterMethods.SERVICE_NAME, HealthStatus.NOT_SERVING);
  }
}
