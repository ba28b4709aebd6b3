package dev.gannet.client;

import dev.gannet.transport.GuardedLog;
import java.lang.System.Logger;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** The observers of one channel, who learn of its end once. Safe for all threads. */
final class ChannelObservers {
  private static final Logger LOG = System.getLogger(ChannelObservers.class.getName());

  private final List<ChannelObserver> observers;
  private final AtomicBoolean ended = new AtomicBoolean();

  ChannelObservers(List<ChannelObserver> observers) {
    this.observers = List.copyOf(observers);
  }

  /** An exception of an observer prevents the channel from being built. */
  void built(ObservedChannel channel) {
    observers.forEach(it -> it.onBuilt(channel));
  }

  /** The channel has terminated, or nobody can use it any more. */
  void terminated(ObservedChannel channel) {
    if (ended.getAndSet(true)) {
      return;
    }
    for (ChannelObserver observer : observers) {
      try {
        observer.onTerminated(channel);
      } catch (Throwable e) {
        GuardedLog.warn(LOG, "an observer of the channel failed", e);
      }
    }
  }
}
