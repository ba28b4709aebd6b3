package dev.gannet.client.balancer;

/** In which order {@code pick_first} tries the endpoints that a resolver has found (gRFC A62). */
public enum AddressOrder {
  /** As the resolver lists them. */
  AS_RESOLVED,
  /** By chance, anew for each result: many clients spread over the servers. */
  SHUFFLED
}
