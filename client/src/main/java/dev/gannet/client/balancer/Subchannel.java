package dev.gannet.client.balancer;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.Endpoint;
import java.net.SocketAddress;

/**
 * One address of a channel, and the connections to it (gRFC A61). Only created by {@link
 * LoadBalancer.Context#createSubchannel}. Safe for all threads.
 *
 * <pre>
 *  IDLE ──connect──► CONNECTING ──► READY ──going away, lost──► IDLE
 *   ▲                     │
 *   └──backoff is over── TRANSIENT_FAILURE
 * </pre>
 *
 * <p>Only implemented by Gannet; methods may be added.
 */
public interface Subchannel {
  /**
   * Receives the events of a subchannel, one at a time, and none after its shutdown. For
   * applications to implement; new methods will have a default.
   */
  interface Listener {
    /** The subchannel has entered this state. It begins IDLE, which is not reported. */
    void onState(Subchannel subchannel, SubchannelState state);
  }

  /**
   * The endpoint with which the policy created it, which has one address. It never changes: if the
   * resolver gives the endpoint other attributes, the policy decides whether it creates another
   * subchannel.
   */
  Endpoint endpoint();

  /** The endpoint's address. */
  default SocketAddress address() {
    return endpoint().onlyAddress();
  }

  /** The endpoint's attributes, such as the zone of the server; empty if it has none. */
  default Attributes attributes() {
    return endpoint().attributes();
  }

  /** Makes a connection if the subchannel is IDLE; does nothing in any other state. */
  void connect();

  /**
   * Keeps a call of a server-streaming method open while the subchannel is READY: for information
   * about the server, such as its health or its load.
   *
   * <p>It is not a call of the application: it uses no policy, does not prevent the channel from
   * becoming idle, and is not retried, traced or counted; but it occupies a stream of the
   * connection. It carries the channel's call credentials, and its messages may have 64 KiB. It
   * starts with the connection, or at once if there is one, and is cancelled when the connection
   * accepts no more calls. If the server ends it, it is started again after the backoff of
   * connections, or without a backoff if a message was received, but at most once per second. If
   * the server does not know the method ({@code UNIMPLEMENTED}), the call is not started again on
   * that connection; this is logged.
   *
   * @return the registration; {@link Registration#close} ends the watch, and no events follow
   */
  <Q, R> Registration watch(MethodDescriptor<Q, R> method, Q request, Watcher<R> watcher);

  /**
   * Receives the events of a call that is kept open, among the policy's other events. For
   * applications to implement; new methods will have a default.
   */
  interface Watcher<R> {
    /** The call starts, or starts again. */
    default void onOpened() {}

    /** A message of the server, at most 64 KiB long. */
    void onMessage(R message);

    /** The call has ended, and not because the connection has ended. */
    default void onEnded(Status why) {}
  }

  /**
   * Makes no more connections; existing ones close when their calls have ended, and watches end. A
   * second call has no effect.
   */
  void shutdown();
}
