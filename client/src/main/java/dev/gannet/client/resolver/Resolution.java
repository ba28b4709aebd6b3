package dev.gannet.client.resolver;

import dev.gannet.api.Status;
import dev.gannet.client.config.ServiceConfig;
import java.util.List;
import java.util.Optional;

/** What a resolver found: endpoints, or why it found none. There will be no third case. */
public sealed interface Resolution {
  /** The endpoints behind the target. An empty list counts as a failure. */
  static Resolved of(List<Endpoint> endpoints) {
    return new Resolved(endpoints, Attributes.EMPTY, Optional.empty(), Optional.empty());
  }

  /**
   * Nothing was found.
   *
   * @param why what calls fail with that do not wait for ready, as long as no endpoint is known
   * @throws IllegalArgumentException if the status is OK
   */
  static Failed failed(Status why) {
    if (why.isOk()) {
      throw new IllegalArgumentException("a failure needs a status other than OK");
    }
    return new Failed(why);
  }

  /** Endpoints were found. Immutable. */
  final class Resolved implements Resolution {
    private final List<Endpoint> endpoints;
    private final Attributes attributes;
    private final Optional<ServiceConfig> serviceConfig;
    private final Optional<Status> serviceConfigFault;

    private Resolved(
        List<Endpoint> endpoints,
        Attributes attributes,
        Optional<ServiceConfig> serviceConfig,
        Optional<Status> serviceConfigFault) {
      this.endpoints = List.copyOf(endpoints);
      this.attributes = attributes;
      this.serviceConfig = serviceConfig;
      this.serviceConfigFault = serviceConfigFault;
    }

    /** This result with other attributes. */
    public Resolved withAttributes(Attributes attributes) {
      return new Resolved(endpoints, attributes, serviceConfig, serviceConfigFault);
    }

    /**
     * This result with a service config, which counts instead of the channel's default. Its
     * provider must say so ({@link NameResolverProvider#bringsServiceConfig}).
     */
    public Resolved withServiceConfig(ServiceConfig config) {
      return new Resolved(endpoints, attributes, Optional.of(config), Optional.empty());
    }

    /**
     * This result with a service config that could not be understood. The channel goes on with the
     * one before, or else its default; if there is neither, the resolution has failed, and calls
     * end with {@code UNAVAILABLE} and these words.
     */
    public Resolved withBadServiceConfig(Status why) {
      return new Resolved(endpoints, attributes, Optional.empty(), Optional.of(why));
    }

    /** Empty if the resolver found none, or a bad one. */
    public Optional<ServiceConfig> serviceConfig() {
      return serviceConfig;
    }

    /** Why the service config cannot be understood that was found; empty if that is not so. */
    public Optional<Status> serviceConfigFault() {
      return serviceConfigFault;
    }

    /** In the resolver's order. */
    public List<Endpoint> endpoints() {
      return endpoints;
    }

    /** What belongs to all endpoints. */
    public Attributes attributes() {
      return attributes;
    }

    @Override
    public String toString() {
      return "Resolved" + endpoints;
    }
  }

  /** Nothing was found. */
  final class Failed implements Resolution {
    private final Status why;

    private Failed(Status why) {
      this.why = why;
    }

    public Status why() {
      return why;
    }

    @Override
    public String toString() {
      return "Failed[" + why + "]";
    }
  }
}
