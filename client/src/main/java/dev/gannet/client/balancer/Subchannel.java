package dev.gannet.client.balancer;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
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

  /**
   * Keeps a call of a server-streaming method open as long as the subchannel is READY: for what a
   * server says of itself, its health or its load.
   *
   * <p>It is no call of the application: it goes by no policy, keeps no channel from being idle,
   * and is neither retried, traced nor counted; but it takes a stream of the connection. The
   * channel's call credentials go with it, and its messages may have 64 KiB. It begins with the
   * connection, or at once if there is one, and is cancelled when the connection takes no more
   * calls. If the server ends it, it begins again after the backoff of connections, and without one
   * if a message has come, but not more than once a second. A server that does not know the method
   * ({@code UNIMPLEMENTED}) is not asked again on that connection; that is logged.
   */
  <Q, R> Watch watch(MethodDescriptor<Q, R> method, Q request, Watcher<R> watcher);

  /** A call that a subchannel keeps open. */
  interface Watch {
    /** Ends it for good; nothing is told after that. */
    void stop();
  }

  /** What comes of a call that is kept open; told among the policy's other events. */
  interface Watcher<R> {
    /** The call begins, or begins again. */
    default void onOpened() {}

    void onMessage(R message);

    /** It has ended, and not by the end of the connection. */
    default void onEnded(Status why) {}
  }

  /** Makes no more connections; those that there are close when their calls have ended. */
  void shutdown();
}
