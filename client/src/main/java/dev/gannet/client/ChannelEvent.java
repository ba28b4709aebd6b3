package dev.gannet.client;

import java.time.Instant;
import java.util.OptionalLong;

/**
 * An event of a channel or of one of its subchannels, never of a single call.
 *
 * @param time by the system clock
 * @param subchannelId the subchannel concerned, if the event belongs to a channel
 */
public record ChannelEvent(
    Instant time, Severity severity, String description, OptionalLong subchannelId) {
  /** The importance of an event. */
  public enum Severity {
    INFO,
    WARNING,
    ERROR
  }
}
