package dev.gannet.client;

import dev.gannet.client.journal.EventLog;
import java.time.Instant;
import java.util.List;

/**
 * The events of a channel or a subchannel (gRFC A3), as far as they are kept. Immutable; only
 * created by Gannet.
 */
public final class ChannelTrace {
  private final EventLog.Kept kept;

  ChannelTrace(EventLog.Kept kept) {
    this.kept = kept;
  }

  /** When the channel or subchannel was created. */
  public Instant created() {
    return kept.created();
  }

  /** The total number of events. */
  public long eventsLogged() {
    return kept.logged();
  }

  /** The last 32 of them, oldest first. */
  public List<ChannelEvent> events() {
    return kept.events().stream().map(ChannelEvent::new).toList();
  }

  @Override
  public String toString() {
    return "ChannelTrace[created="
        + created()
        + ", eventsLogged="
        + eventsLogged()
        + ", events="
        + events()
        + "]";
  }
}
