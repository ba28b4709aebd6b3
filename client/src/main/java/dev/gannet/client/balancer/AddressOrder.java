package dev.gannet.client.balancer;

/** The order in which {@code pick_first} tries the resolved endpoints (gRFC A62). */
public enum AddressOrder {
  /** In the order of the resolver's result. */
  AS_RESOLVED,
  /**
   * In a random order, another one for each attempt: this distributes many clients over servers.
   */
  SHUFFLED
}
