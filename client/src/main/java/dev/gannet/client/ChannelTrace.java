package dev.gannet.client;

import java.time.Instant;
import java.util.List;

/**
 * The events of a channel or a subchannel (gRFC A3), as far as they are kept. Immutable; only
 * created by Gannet.
 */
public final class ChannelTrace {
  /** The values. */
  record Values(Instant created, long eventsLogged, List<ChannelEvent> events) {
    Values {
      events = List.copyOf(events);
    }
  }

  private final Values values;

  ChannelTrace(Values values) {
    this.values = values;
  }

  /** When the channel or subchannel was created. */
  public Instant created() {
    return values.created;
  }

  /** The total number of events. */
  public long eventsLogged() {
    return values.eventsLogged;
  }

  /** The last 32 of them, oldest first. */
  public List<ChannelEvent> events() {
    return values.events;
  }

  @Override
  public String toString() {
    return "ChannelTrace" + values.toString().substring("Values".length());
  }
}
