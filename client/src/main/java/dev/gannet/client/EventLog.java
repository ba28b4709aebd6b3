package dev.gannet.client;

import dev.gannet.client.ChannelEvent.Severity;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/** The last events of a channel or a subchannel; older ones are removed. All threads. */
final class EventLog {
  private static final int MAX_EVENTS = 32;

  private final Instant created = Instant.now();
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<ChannelEvent> events = new ArrayDeque<>();
  private long logged;

  void add(Severity severity, String description) {
    add(severity, description, OptionalLong.empty());
  }

  /** Adds an event of a subchannel. */
  void add(Severity severity, String description, OptionalLong subchannelId) {
    ChannelEvent event =
        new ChannelEvent(
            new ChannelEvent.Values(Instant.now(), severity, description, subchannelId));
    lock.lock();
    try {
      if (events.size() == MAX_EVENTS) {
        events.removeFirst();
      }
      events.addLast(event);
      logged++;
    } finally {
      lock.unlock();
    }
  }

  ChannelTrace trace() {
    lock.lock();
    try {
      return new ChannelTrace(new ChannelTrace.Values(created, logged, List.copyOf(events)));
    } finally {
      lock.unlock();
    }
  }
}
