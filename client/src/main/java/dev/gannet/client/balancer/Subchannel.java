package dev.gannet.client.balancer;

import java.net.SocketAddress;

/**
 * One address of a channel, and the connections to it (gRFC A61). Made by {@link
 * LoadBalancer.Context#createSubchannel}, and by nobody else. Safe for all threads.
 *
 * <pre>
 *   IDLE ──connect──► CONNECTING ──► READY ──going away, lost──► IDLE
 *    ▲                     │
 *    └──backoff is over── TRANSIENT_FAILURE
 * </pre>
 */
public interface Subchannel {
  /** What is told about a subchannel; one thing at a time, and nothing after its shutdown. */
  interface Listener {
    void onState(Subchannel subchannel, SubchannelState state);
  }

  SocketAddress address();

  /** Makes a connection if the subchannel is IDLE; does nothing in any other state. */
  void connect();

  /** Makes no more connections; those that there are close when their calls have ended. */
  void shutdown();
}
