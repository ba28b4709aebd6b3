package dev.gannet.client;

/**
 * Adds several things to a channel at once: interceptors, tracers, observers or options. Passed to
 * {@link ManagedChannelBuilder#add}. For applications to implement; new methods will have a
 * default.
 */
public interface ChannelExtension {
  /** Adds its parts to the builder of a channel; on the thread that configures the channel. */
  void addTo(ManagedChannelBuilder builder);
}
