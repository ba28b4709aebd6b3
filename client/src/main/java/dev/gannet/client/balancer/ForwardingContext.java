package dev.gannet.client.balancer;

import dev.gannet.client.resolver.Timer;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * What a policy lends to a policy below it: its own context, with changes. All methods pass on to
 * {@link #context}; override those that are different for the child.
 *
 * <p>A policy that has children tells them what it is told, in the same thread: they are its parts.
 * Subchannels that a child makes are the channel's own, so a child's {@link Pick} may be passed on
 * as it is.
 */
public interface ForwardingContext extends LoadBalancer.Context {
  /** The context of the policy above. */
  LoadBalancer.Context context();

  @Override
  default String target() {
    return context().target();
  }

  @Override
  default Subchannel createSubchannel(
      SocketAddress address, Subchannel.Listener listener, CallTracker tracker) {
    return context().createSubchannel(address, listener, tracker);
  }

  @Override
  default void updateState(ConnectivityState state, Picker picker) {
    context().updateState(state, picker);
  }

  @Override
  default void refreshNameResolution() {
    context().refreshNameResolution();
  }

  @Override
  default boolean isWanted() {
    return context().isWanted();
  }

  @Override
  default void execute(Runnable task) {
    context().execute(task);
  }

  @Override
  default Timer schedule(Runnable task, Duration delay) {
    return context().schedule(task, delay);
  }

  @Override
  default Optional<String> healthCheckService() {
    return context().healthCheckService();
  }

  @Override
  default long nanoTime() {
    return context().nanoTime();
  }

  @Override
  default RandomGenerator random() {
    return context().random();
  }
}
