package dev.gannet.client.balancer;

import dev.gannet.api.Status;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Timer;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A load-balancing policy at work on one channel: it is told of endpoints and of its subchannels,
 * and publishes pickers.
 *
 * <p>All its methods, and those of the listeners of its subchannels, are called one at a time, on
 * whatever thread finds the reason; they must not block. If one of them throws, the policy is given
 * up: calls fail with {@code UNAVAILABLE} and the exception's message, and the channel begins anew
 * after a backoff.
 *
 * <p>A policy begins when a call has to wait, and so is expected to connect as soon as it is told
 * of endpoints.
 */
public interface LoadBalancer {
  /** The target's endpoints, at least one, in place of those of before. */
  void onResolved(Resolution.Resolved resolved);

  /** The target could not be resolved; endpoints of before may be used on. */
  void onResolutionFailed(Status why);

  /** A call waits while the channel is IDLE: time to connect. */
  void exitIdle();

  /**
   * The channel has no use for the policy any more, and shuts its subchannels down. Last. While the
   * channel goes on, policies shut down themselves what they do not use any more.
   */
  void shutdown();

  /** What a channel does for its policy. Safe for all threads; never blocks. */
  interface Context {
    /** The target, for statuses. */
    String target();

    /** A new subchannel, IDLE, whose states are told to the listener. */
    default Subchannel createSubchannel(SocketAddress address, Subchannel.Listener listener) {
      return createSubchannel(address, listener, CallTracker.NONE);
    }

    /** Likewise, and the calls that go over it are told to the tracker. */
    Subchannel createSubchannel(
        SocketAddress address, Subchannel.Listener listener, CallTracker tracker);

    /**
     * Publishes the channel's state and how calls are picked from now on; waiting calls at once.
     */
    void updateState(ConnectivityState state, Picker picker);

    /**
     * Asks for the target to be resolved again. {@link LoadBalancer#onResolved} or {@link
     * LoadBalancer#onResolutionFailed} follows, within about 30 seconds.
     */
    void refreshNameResolution();

    /**
     * Whether there is anybody to connect for: calls wait, or new ones have failed since this was
     * asked last.
     */
    boolean isWanted();

    /** Runs that among the policy's other events, one at a time: for pickers, on any thread. */
    void execute(Runnable task);

    /**
     * Runs that among the policy's other events, so much later. It does not run once the policy is
     * shut down.
     */
    Timer schedule(Runnable task, Duration delay);

    /**
     * The service whose health servers are asked for by policies that have a connection to each
     * endpoint (gRFC A17); the empty text is the whole server. Empty if none is asked. It may
     * change with each {@link #onResolved}.
     */
    default Optional<String> healthCheckService() {
      return Optional.empty();
    }

    /** The channel's clock, in nanoseconds. */
    long nanoTime();

    /** Randomness for a policy's choices; in tests it may be the same again and again. */
    RandomGenerator random();
  }
}
