package dev.gannet.client.balancer;

import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A load-balancing policy of one channel: it is notified of endpoints and of its subchannels, and
 * publishes pickers.
 *
 * <p>All its methods, and those of the listeners of its subchannels, are called one at a time, on
 * the thread that causes the event, but without a current call ({@code CallContext.current()});
 * they must not block. If one of them throws, the policy is discarded: it is {@linkplain #shutdown
 * shut down} like any other, calls fail with {@code UNAVAILABLE} and the exception's message, and
 * the channel creates the policy again after a backoff. If it was to replace another policy, which
 * calls still use, that one goes on with the newest endpoints instead. An exception of the shutdown
 * is only logged.
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
   *
   * @param context the one that the provider was given
   * @param chooser for this policy alone; {@link EndpointChooser#start} is called at once
   */
  static <T extends CallTracker> LoadBalancer overReadyEndpoints(
      Context context, EndpointChooser<T> chooser) {
    return new ReadyEndpoints<>(
        Objects.requireNonNull(context, "context"), Objects.requireNonNull(chooser, "chooser"));
  }

  /**
   * The target's endpoints, at least one; they replace earlier ones.
   *
   * <p>A parent that passes only some endpoints to a child, and has none left for it, calls {@link
   * #onNoEndpoints} instead. {@link ReplaceableChild}, {@link ForwardingLoadBalancer} and the
   * built-in policies do so themselves for an empty list, with a status that says that the parent
   * policy left no endpoints. The target was resolved, so the channel does not resolve it again for
   * that: the parent requests it, if it expects other endpoints ({@link
   * Context#refreshNameResolution}).
   */
  void onResolved(Resolution.Resolved resolved);

  /**
   * The policy's settings have changed: to those of this provider, which has the class and the name
   * of the one that created it, and does not equal it. {@link #onResolved} follows, so that
   * connections and counts can stay while settings change.
   *
   * <p>A policy takes all of the new settings or none. One that wraps another policy passes their
   * new settings on by {@link LoadBalancerProvider#reconfigure}, and replaces the child that does
   * not take them.
   *
   * @return whether the policy has the new settings; if not, it has changed nothing, and is
   *     replaced by a policy of the provider, with connections of its own. By default false
   */
  default boolean onConfig(LoadBalancerProvider config) {
    return false;
  }

  /** The target could not be resolved; earlier endpoints may still be used. */
  void onResolutionFailed(Status why);

  /**
   * The target was resolved, and has no endpoints (any more). A policy that supports this gives its
   * endpoints up: it publishes TRANSIENT_FAILURE with a picker that fails calls for this reason,
   * shuts down its subchannels, so that their running calls can end, and returns true. It then
   * needs to do nothing until {@link #onResolved}: the channel resolves the target again after a
   * backoff, or becomes idle if no call needs it.
   *
   * <p>By default the policy is told that the target could not be resolved, and continues with its
   * endpoints. A policy that passes results on to a child passes this on as well, and returns what
   * the child returns.
   *
   * @param why UNAVAILABLE; says that the resolver has found no endpoints, or that the parent
   *     policy left none
   * @return whether the policy uses no endpoints now
   */
  default boolean onNoEndpoints(Status why) {
    onResolutionFailed(why);
    return false;
  }

  /**
   * A call waits while the channel is IDLE, or the user has asked for a connection: connect now, to
   * one endpoint at least. Called again if the policy becomes IDLE before it was READY.
   */
  void exitIdle();

  /**
   * The channel or the parent policy does not need this policy any more. Last call.
   *
   * <p>A policy ends what it has begun: it shuts down its subchannels, cancels its timers, shuts
   * down its child policies, and publishes nothing more. What the policy of a channel leaves open,
   * the channel ends; what a child leaves open continues as long as the channel's policy.
   *
   * <p>A parent publishes a picker that does not use the child before it shuts the child down. It
   * does so as an event of its own, not inside a call of the child such as {@link
   * Context#updateState}: {@link Context#execute} runs it afterwards, but not if the channel's
   * policy ends before. So the parent's own shutdown includes the children that still wait for
   * theirs.
   */
  void shutdown();

  /**
   * The services that a channel provides for its policy, and a parent policy for its child ({@link
   * ForwardingContext}). Never blocks. {@link #createSubchannel} and {@link #updateState} are
   * called in the policy's events, which includes tasks of {@link #execute} and {@link #schedule};
   * the other methods, on any thread unless they say otherwise. Only implemented by Gannet; methods
   * may be added.
   *
   * <p>What a policy creates belongs to it: it shuts down the subchannels that it no longer uses,
   * and in {@link LoadBalancer#shutdown} all of them, and cancels its timers.
   */
  interface Context {
    /** The target, for statuses. */
    String target();

    /**
     * A new subchannel with the default options. Calls the longer form, which is the one to
     * override.
     */
    default Subchannel createSubchannel(Endpoint endpoint, Subchannel.Listener listener) {
      return createSubchannel(endpoint, listener, SubchannelOptions.DEFAULT);
    }

    /**
     * A new subchannel, IDLE, whose states are reported to the listener. The endpoint's attributes
     * are those of the subchannel: parent policies and pickers see them there ({@link
     * Subchannel#attributes}).
     *
     * @param endpoint has one address: a policy makes a subchannel for each address of an endpoint,
     *     and {@link Endpoint#perAddress} is the endpoint at each of them
     * @param options such as a tracker of its calls
     * @throws IllegalArgumentException if the endpoint has several addresses
     */
    Subchannel createSubchannel(
        Endpoint endpoint, Subchannel.Listener listener, SubchannelOptions options);

    /**
     * Publishes the channel's state and the picker for calls; it is applied to waiting calls at
     * once.
     */
    void updateState(ConnectivityState state, Picker picker);

    /**
     * Requests another resolution of the target. {@link LoadBalancer#onResolved} or {@link
     * LoadBalancer#onResolutionFailed} follows, within about 30 seconds.
     *
     * <p>After a failed resolution the channel resolves the target again by itself, with a backoff.
     * Requests during the backoff do not reach the resolver: {@link
     * LoadBalancer#onResolutionFailed} follows at once, with the last failure, except for a request
     * that a policy makes because of that call.
     */
    void refreshNameResolution();

    /**
     * Whether calls wait for a connection, or the application has asked for one ({@code
     * ManagedChannel.connect}). A parent that decides itself when its children connect returns true
     * to them. Only called in the policy's events.
     */
    boolean hasWaitingCalls();

    /**
     * A number that has grown if calls have failed at once since it was last read, as they do in
     * TRANSIENT_FAILURE; calls that have waited before do not count. It never decreases, and
     * reading it changes nothing for others, so that several policies can share a context. Only
     * called in the policy's events.
     *
     * <p>A policy that connects only if calls need it asks this when a backoff is over. It compares
     * the number with the one on which it acted last, or that it read when it was created:
     *
     * <pre>{@code
     * long now = context.failures();
     * boolean wanted = context.hasWaitingCalls() || now != failuresBefore;
     * failuresBefore = now;
     * }</pre>
     */
    long failures();

    /**
     * Runs the task among the policy's other events, one at a time. For pickers; on any thread. It
     * does not run after the channel's policy was shut down, but it may run after a child was.
     */
    void execute(Runnable task);

    /**
     * Runs the task among the policy's other events, after a delay. A very long delay, such as
     * {@code ChronoUnit.FOREVER.getDuration()}, means never. Closing the registration cancels the
     * task; a policy does so for all of its tasks when it is shut down. None runs after the
     * channel's policy was shut down.
     */
    Registration schedule(Runnable task, Duration delay);

    /**
     * Closes what the policy has acquired when the channel's policy has been shut down; at once, on
     * this thread, if it already was. For what is acquired on other threads, such as a channel to a
     * server that the policy asks: a task of {@link #execute} no longer runs then. On any thread.
     *
     * <p>It is closed once, after {@link LoadBalancer#shutdown}, and the newest first. This must
     * not block. An exception is one of the policy, or is only logged if that was shut down.
     *
     * @return closes the resource earlier; a policy that may be the child of another one does so
     *     when it is shut down
     */
    Registration closeAtShutdown(AutoCloseable resource);

    /**
     * The service whose health is checked by policies that connect to each endpoint (gRFC A17); an
     * empty text is the whole server. Empty if none is checked. It may change with each {@link
     * #onResolved}.
     */
    default Optional<String> healthCheckService() {
      return Optional.empty();
    }

    /**
     * Writes an event into the channel's trace, with the name of the channel's policy: people see
     * it in {@code ManagedChannel.snapshot().trace()}, and tools through channelz. The trace keeps
     * the last 32 events of all kinds, so write what seldom happens, and nothing for each call. By
     * default nothing is written.
     *
     * @param event a text for people; at most 200 characters of it are kept
     */
    default void trace(String event) {}

    /** The channel's clock, in nanoseconds. */
    long nanoTime();

    /**
     * Random numbers for a policy's choices; in tests they may be repeatable. Safe for all threads,
     * so pickers may keep it.
     */
    RandomGenerator random();
  }
}
