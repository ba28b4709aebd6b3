package dev.gannet.api.engine;

/**
 * Reads {@code ForwardingClientCall}, which this package cannot name, because its package uses this
 * one.
 */
public interface ClientCallAccess {
  /**
   * The call to which a forwarding call forwards all methods.
   *
   * @param forwarding a {@code ForwardingClientCall}
   * @return a {@code ClientCall}
   */
  Object delegateOf(Object forwarding);
}
