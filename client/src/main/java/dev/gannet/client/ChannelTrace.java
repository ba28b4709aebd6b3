package dev.gannet.client;

import java.time.Instant;
import java.util.List;

/**
 * The events of a channel or a subchannel (gRFC A3), as far as they are kept.
 *
 * @param created when the channel or subchannel was created
 * @param eventsLogged the total number of events
 * @param events the last 32 of them, oldest first
 */
public record ChannelTrace(Instant created, long eventsLogged, List<ChannelEvent> events) {
  /** The list is copied. */
  public ChannelTrace {
    events = List.copyOf(events);
  }
}
