package dev.gannet.api.engine;

/**
 * Reads {@code ForwardingServerCallListener}, which this package cannot name, because its package
 * uses this one.
 */
public interface ListenerAccess {
  /**
   * The listener to which a forwarding listener forwards all events.
   *
   * @param forwarding a {@code ForwardingServerCallListener}
   * @return a {@code ServerCall.Listener}
   */
  Object delegateOf(Object forwarding);
}
