package dev.gannet.client;

import java.time.Instant;
import java.util.List;

/**
 * What happened to a channel or a subchannel (gRFC A3), as far as it is still known.
 *
 * @param created when the channel or subchannel was made
 * @param eventsLogged how many events there were in all
 * @param events the last 32 of them, oldest first
 */
public record ChannelTrace(Instant created, long eventsLogged, List<ChannelEvent> events) {
  /** The list is copied. */
  public ChannelTrace {
    events = List.copyOf(events);
  }
}
