package dev.gannet.api.engine;

/**
 * Reads {@code ForwardingClientCallListener}, which this package cannot name, because its package
 * uses this one.
 */
public interface ClientListenerAccess {
  /**
   * The listener to which a forwarding listener forwards all events.
   *
   * @param forwarding a {@code ForwardingClientCallListener}
   * @return a {@code ClientCall.Listener}
   */
  Object delegateOf(Object forwarding);
}
