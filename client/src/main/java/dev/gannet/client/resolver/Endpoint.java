package dev.gannet.client.resolver;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.ClientStreamTracer;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One server: the addresses at which it can be reached, in order of preference, attributes (gRFC
 * A61), and the authority if it is not the channel's. Immutable.
 */
public final class Endpoint {
  private final List<SocketAddress> addresses;
  private final Optional<String> authority;
  private final Attributes attributes;

  private Endpoint(
      List<SocketAddress> addresses, Optional<String> authority, Attributes attributes) {
    this.addresses = addresses;
    this.authority = authority;
    this.attributes = attributes;
  }

  /**
   * An endpoint with these addresses and no attributes.
   *
   * @throws IllegalArgumentException if there is no address
   */
  public static Endpoint of(List<? extends SocketAddress> addresses) {
    return new Endpoint(checked(addresses), Optional.empty(), Attributes.EMPTY);
  }

  private static List<SocketAddress> checked(List<? extends SocketAddress> addresses) {
    if (Objects.requireNonNull(addresses, "addresses").isEmpty()) {
      throw new IllegalArgumentException("an endpoint needs at least one address");
    }
    return List.copyOf(addresses);
  }

  /** An endpoint with one address and no attributes. */
  public static Endpoint of(SocketAddress address) {
    return of(List.of(address));
  }

  /**
   * This endpoint at other addresses; what else it has is kept.
   *
   * @throws IllegalArgumentException if there is no address
   */
  public Endpoint withAddresses(List<? extends SocketAddress> addresses) {
    return new Endpoint(checked(addresses), authority, attributes);
  }

  /** This endpoint with other attributes. */
  public Endpoint withAttributes(Attributes attributes) {
    return new Endpoint(addresses, authority, Objects.requireNonNull(attributes, "attributes"));
  }

  /**
   * This endpoint with an authority of its own: with TLS, the one whose host the server must prove,
   * and {@code :authority} of its calls, unless their options have another. So the servers of a
   * channel can have different certificates (gRFC A81). Call credentials and {@link
   * ClientStreamTracer#onStreamOpened} see it, too. {@link ClientCallTracer.Start} has the
   * channel's, because a call starts before its server is picked.
   *
   * @param authority {@code host} or {@code host:port} (RFC 3986 §3.2.2, §3.2.3), with an IPv6
   *     address in brackets
   * @throws IllegalArgumentException if it is neither
   */
  public Endpoint withAuthority(String authority) {
    return new Endpoint(
        addresses, CallOptions.DEFAULT.withAuthority(authority).authority(), attributes);
  }

  /** At least one. */
  public List<SocketAddress> addresses() {
    return addresses;
  }

  /** Its own authority; empty if it has the channel's. */
  public Optional<String> authority() {
    return authority;
  }

  /** This endpoint with each of its addresses alone, in their order, for subchannels. */
  public List<Endpoint> perAddress() {
    return addresses.stream().map(it -> new Endpoint(List.of(it), authority, attributes)).toList();
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
        && authority.equals(endpoint.authority)
        && attributes.equals(endpoint.attributes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(addresses, authority, attributes);
  }

  /**
   * The addresses, and the authority and the attributes if there are any, such as <code>
   * [/192.0.2.1:443] as a.example.com {zone=eu}</code>.
   */
  @Override
  public String toString() {
    return addresses
        + authority.map(it -> " as " + it).orElse("")
        + (attributes.equals(Attributes.EMPTY) ? "" : " " + attributes);
  }
}
