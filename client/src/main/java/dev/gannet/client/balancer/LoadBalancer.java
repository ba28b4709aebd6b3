package dev.gannet.client.balancer;

import dev.gannet.api.Preview;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.resolver.Resolution;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A load-balancing policy of one channel: it is notified of endpoints and of its subchannels, and
 * publishes pickers.
 *
 * <p>All its methods, and those of the listeners of its subchannels, are called one at a time, on
 * the thread that causes the event; they must not block. If one of them throws, the policy is
 * discarded: calls fail with {@code UNAVAILABLE} and the exception's message, and the channel
 * creates the policy again after a backoff.
 *
 * <p>A policy is created when a call has to wait, so it should connect as soon as it knows
 * endpoints. For applications to implement; new methods will have a default.
 */
public interface LoadBalancer {
  /**
   * A policy that keeps a connection to each endpoint, and lets the chooser distribute the calls
   * over those that are ready; for {@link LoadBalancerProvider#create}. As in {@code round_robin}:
   * the addresses of an endpoint are tried as by {@code pick_first} (gRFC A61), lost connections
   * are made again at once, the health of servers is checked if the service config asks for it
   * (gRFC A17), and calls fail when all endpoints have failed.
   */
  @Preview
  static <T extends CallTracker> LoadBalancer overReadyEndpoints(
      Context context, EndpointChooser<T> chooser) {
    return new ReadyEndpoints<>(
        Objects.requireNonNull(context, "context"), Objects.requireNonNull(chooser, "chooser"));
  }

  /** The target's endpoints, at least one; they replace earlier ones. */
  void onResolved(Resolution.Resolved resolved);

  /** The target could not be resolved; earlier endpoints may still be used. */
  void onResolutionFailed(Status why);

  /** A call waits while the channel is IDLE: connect now. */
  void exitIdle();

  /**
   * The channel does not need the policy any more, and shuts its subchannels down. Last call.
   * Before that, policies shut down subchannels that they no longer use.
   */
  void shutdown();

  /**
   * The services that a channel provides for its policy. Safe for all threads; never blocks. Only
   * implemented by Gannet; methods may be added.
   */
  interface Context {
    /** The target, for statuses. */
    String target();

    /** A new subchannel, IDLE, whose states are reported to the listener. */
    default Subchannel createSubchannel(SocketAddress address, Subchannel.Listener listener) {
      return createSubchannel(address, listener, CallTracker.NONE);
    }

    /**
     * A new subchannel, IDLE, whose states are reported to the listener, and its calls to the
     * tracker.
     */
    Subchannel createSubchannel(
        SocketAddress address, Subchannel.Listener listener, CallTracker tracker);

    /**
     * Publishes the channel's state and the picker for calls; it is applied to waiting calls at
     * once.
     */
    void updateState(ConnectivityState state, Picker picker);

    /**
     * Requests another resolution of the target. {@link LoadBalancer#onResolved} or {@link
     * LoadBalancer#onResolutionFailed} follows, within about 30 seconds.
     */
    void refreshNameResolution();

    /**
     * Whether a connection is needed: calls wait, or some have failed since this was last asked.
     * The answer is given once: failed calls that it has reported are forgotten.
     */
    boolean takeWanted();

    /** Runs the task among the policy's other events, one at a time. For pickers; on any thread. */
    void execute(Runnable task);

    /**
     * Runs the task among the policy's other events, after a delay. It does not run after the
     * policy was shut down. A very long delay, such as {@code ChronoUnit.FOREVER.getDuration()},
     * means never. Closing the registration cancels the task.
     */
    Registration schedule(Runnable task, Duration delay);

    /**
     * The service whose health is checked by policies that connect to each endpoint (gRFC A17); an
     * empty text is the whole server. Empty if none is checked. It may change with each {@link
     * #onResolved}.
     */
    default Optional<String> healthCheckService() {
      return Optional.empty();
    }

    /** The channel's clock, in nanoseconds. */
    long nanoTime();

    /** Random numbers for a policy's choices; in tests they may be repeatable. */
    RandomGenerator random();
  }
}
