package dev.gannet.client;

/**
 * A channel as its observers see it: always the same object for one channel. A reference to it does
 * not keep the {@link ManagedChannel} reachable, so that a channel that is never closed can still
 * be garbage-collected, which is logged. Safe for all threads. Only implemented by Gannet; methods
 * may be added.
 */
public interface ObservedChannel {
  /** The id of the channel, as in its snapshots; unique in this process. */
  long id();

  /** As {@link ManagedChannel#snapshot}. */
  ChannelSnapshot snapshot();
}
