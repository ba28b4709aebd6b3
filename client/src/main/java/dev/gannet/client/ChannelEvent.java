package dev.gannet.client;

import dev.gannet.client.journal.EventLog;
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

  private final EventLog.Event values;

  ChannelEvent(EventLog.Event values) {
    this.values = values;
  }

  /** By the system clock. */
  public Instant time() {
    return values.time();
  }

  /**
   * WARNING if a connection or a resolution failed and is tried again, ERROR if somebody should
   * correct something, such as a policy that throws.
   */
  public Severity severity() {
    return switch (values.severity()) {
      case INFO -> Severity.INFO;
      case WARNING -> Severity.WARNING;
      case ERROR -> Severity.ERROR;
    };
  }

  /** A text for people, which may change; programs should not parse it. */
  public String description() {
    return values.description();
  }

  /** The subchannel concerned, if the event belongs to a channel. */
  public OptionalLong subchannelId() {
    return values.subchannelId();
  }

  @Override
  public String toString() {
    return "Channel" + values;
  }
}
