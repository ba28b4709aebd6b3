package dev.gannet.client.resolver;

import java.net.SocketAddress;
import java.util.List;

/**
 * One server: the addresses at which it can be reached, in order of preference, and attributes
 * (gRFC A61). Immutable.
 */
public final class Endpoint {
  private final List<SocketAddress> addresses;
  private final Attributes attributes;

  private Endpoint(List<SocketAddress> addresses, Attributes attributes) {
    this.addresses = addresses;
    this.attributes = attributes;
  }

  /**
   * An endpoint with these addresses and no attributes.
   *
   * @throws IllegalArgumentException if there is no address
   */
  public static Endpoint of(List<? extends SocketAddress> addresses) {
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("an endpoint needs at least one address");
    }
    return new Endpoint(List.copyOf(addresses), Attributes.EMPTY);
  }

  /** An endpoint with one address and no attributes. */
  public static Endpoint of(SocketAddress address) {
    return of(List.of(address));
  }

  /** This endpoint with other attributes. */
  public Endpoint withAttributes(Attributes attributes) {
    return new Endpoint(addresses, attributes);
  }

  /** At least one. */
  public List<SocketAddress> addresses() {
    return addresses;
  }

  /** This endpoint with each of its addresses alone, in their order, for subchannels. */
  public List<Endpoint> perAddress() {
    return addresses.stream().map(it -> new Endpoint(List.of(it), attributes)).toList();
  }

  /**
   * The address of an endpoint that has one.
   *
   * @throws IllegalArgumentException if it has several
   */
  public SocketAddress onlyAddress() {
    if (addresses.size() > 1) {
      throw new IllegalArgumentException("the endpoint has several addresses: " + this);
    }
    return addresses.getFirst();
  }

  /** The attributes for policies, such as a weight; none by default. */
  public Attributes attributes() {
    return attributes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Endpoint endpoint
        && addresses.equals(endpoint.addresses)
        && attributes.equals(endpoint.attributes);
  }

  @Override
  public int hashCode() {
    return 31 * addresses.hashCode() + attributes.hashCode();
  }

  /**
   * The addresses, and the attributes if there are any, such as <code>[/192.0.2.1:443] {zone=eu}
   * </code>.
   */
  @Override
  public String toString() {
    return attributes.equals(Attributes.EMPTY)
        ? addresses.toString()
        : addresses + " " + attributes;
  }
}
