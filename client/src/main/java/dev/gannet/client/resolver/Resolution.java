package dev.gannet.client.resolver;

import dev.gannet.api.Status;
import java.util.List;
import java.util.Objects;

/**
 * The result of a resolver: endpoints, or the reason why they are not known. There will be no third
 * case.
 */
public sealed interface Resolution {
  /**
   * The endpoints of the target; they replace earlier ones. An empty list withdraws those: new
   * calls fail with {@code UNAVAILABLE}, unless they wait for ready, until there are others, and
   * running calls can end. A resolver that could not find out reports a {@linkplain #failed
   * failure} instead, after which the earlier endpoints may still be used.
   *
   * <p>A resolver that has found a service config adds it by {@link
   * dev.gannet.client.config.ServiceConfig#addTo}, or by {@link
   * dev.gannet.client.config.ServiceConfig#addInvalidTo} if it cannot be read; one that chooses the
   * settings of each call adds a {@link dev.gannet.client.config.ConfigSelector}.
   */
  static Resolved of(List<Endpoint> endpoints) {
    return new Resolved(endpoints, Attributes.EMPTY);
  }

  /**
   * The target could not be resolved.
   *
   * @param why the status with which calls fail while no endpoint is known, unless they wait for
   *     ready
   * @throws IllegalArgumentException if the status is OK
   */
  static Failed failed(Status why) {
    if (Objects.requireNonNull(why, "why").isOk()) {
      throw new IllegalArgumentException("a failure needs a status other than OK");
    }
    return new Failed(why);
  }

  /** The target was resolved. Immutable. */
  final class Resolved implements Resolution {
    private final List<Endpoint> endpoints;
    private final Attributes attributes;

    private Resolved(List<Endpoint> endpoints, Attributes attributes) {
      this.endpoints = List.copyOf(Objects.requireNonNull(endpoints, "endpoints"));
      this.attributes = Objects.requireNonNull(attributes, "attributes");
    }

    /** This result with other endpoints; what else it has is kept. */
    public Resolved withEndpoints(List<Endpoint> endpoints) {
      return new Resolved(endpoints, attributes);
    }

    /** This result with other attributes. */
    public Resolved withAttributes(Attributes attributes) {
      return new Resolved(endpoints, attributes);
    }

    /** In the resolver's order; empty if the target has none now. */
    public List<Endpoint> endpoints() {
      return endpoints;
    }

    /** The attributes of all endpoints together. */
    public Attributes attributes() {
      return attributes;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Resolved resolved
          && endpoints.equals(resolved.endpoints)
          && attributes.equals(resolved.attributes);
    }

    @Override
    public int hashCode() {
      return 31 * endpoints.hashCode() + attributes.hashCode();
    }

    /** The endpoints, each with its attributes, and the attributes of the result if any. */
    @Override
    public String toString() {
      return attributes.equals(Attributes.EMPTY)
          ? "Resolved" + endpoints
          : "Resolved" + endpoints + " " + attributes;
    }
  }

  /** The target could not be resolved. */
  final class Failed implements Resolution {
    private final Status why;

    private Failed(Status why) {
      this.why = why;
    }

    /** The status with which calls fail; never OK. */
    public Status why() {
      return why;
    }

    @Override
    public String toString() {
      return "Failed[" + why + "]";
    }
  }
}
