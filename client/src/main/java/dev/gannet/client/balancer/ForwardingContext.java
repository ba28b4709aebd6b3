package dev.gannet.client.balancer;

import dev.gannet.api.Registration;
import dev.gannet.client.resolver.Endpoint;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The context that a policy passes to a child policy: its own, with changes. All methods forward to
 * {@link #context}; override those that are different for the child.
 *
 * <p>A policy forwards its events to its children, on the same thread. A child's {@link Pick} names
 * a subchannel of the channel, so it may be returned unchanged. A child that is no longer used is
 * shut down ({@link LoadBalancer#shutdown}), which ends its subchannels and timers. For
 * applications to implement; new methods will have a default.
 */
public interface ForwardingContext extends LoadBalancer.Context {
  /** The context of the parent policy. */
  LoadBalancer.Context context();

  @Override
  default String target() {
    return context().target();
  }

  @Override
  default Subchannel createSubchannel(
      Endpoint endpoint, Subchannel.Listener listener, SubchannelOptions options) {
    return context().createSubchannel(endpoint, listener, options);
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
  default boolean hasWaitingCalls() {
    return context().hasWaitingCalls();
  }

  @Override
  default long failures() {
    return context().failures();
  }

  @Override
  default void execute(Runnable task) {
    context().execute(task);
  }

  @Override
  default Registration schedule(Runnable task, Duration delay) {
    return context().schedule(task, delay);
  }

  @Override
  default Registration closeAtShutdown(AutoCloseable resource) {
    return context().closeAtShutdown(resource);
  }

  @Override
  default Optional<String> healthCheckService() {
    return context().healthCheckService();
  }

  @Override
  default void trace(String event) {
    context().trace(event);
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
