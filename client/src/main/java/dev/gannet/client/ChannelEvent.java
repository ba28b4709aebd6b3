package dev.gannet.client;

import java.time.Instant;
import java.util.OptionalLong;

/**
 * Something that happened to a channel or to one of its subchannels: never to a single call.
 *
 * @param time by the system's clock
 * @param subchannelId of the subchannel that it is about, where a channel tells of one
 */
public record ChannelEvent(
    Instant time, Severity severity, String description, OptionalLong subchannelId) {
  /** How much it matters. */
  public enum Severity {
    INFO,
    WARNING,
    ERROR
  }
}
