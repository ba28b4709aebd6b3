package dev.gannet.client;

import java.time.Instant;
import java.util.OptionalLong;

/**
 * An event of a channel or of one of its subchannels, never of a single call. Immutable; only
 * created by Gannet.
 */
public final class ChannelEvent {
  /** The importance of an event. */
  public enum Severity {
    INFO,
    WARNING,
    ERROR
  }

  /** The values. */
  record Values(Instant time, Severity severity, String description, OptionalLong subchannelId) {}

  private final Values values;

  ChannelEvent(Values values) {
    this.values = values;
  }

  /** By the system clock. */
  public Instant time() {
    return values.time;
  }

  public Severity severity() {
    return values.severity;
  }

  public String description() {
    return values.description;
  }

  /** The subchannel concerned, if the event belongs to a channel. */
  public OptionalLong subchannelId() {
    return values.subchannelId;
  }

  @Override
  public String toString() {
    return "ChannelEvent" + values.toString().substring("Values".length());
  }
}
