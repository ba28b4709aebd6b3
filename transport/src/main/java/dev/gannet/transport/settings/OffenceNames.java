package dev.gannet.transport.settings;

import dev.gannet.api.transport.Offence;
import dev.gannet.http2.AbuseKind;

/** The names that users know for what {@code http2} counts. A new kind does not compile without. */
public final class OffenceNames {
  private OffenceNames() {}

  /** The offence whose rate users change, and as which a peer that exceeds it is counted. */
  public static Offence of(AbuseKind kind) {
    return switch (kind) {
      case RESET_STREAM -> Offence.RESET_STREAM;
      case UNSERVED_STREAM -> Offence.UNSERVED_STREAM;
      case OVERSIZED_HEADERS -> Offence.OVERSIZED_HEADERS;
      case EMPTY_DATA -> Offence.EMPTY_DATA;
      case TINY_DATA -> Offence.TINY_DATA;
      case WINDOW_UPDATE -> Offence.WINDOW_UPDATE;
      case SETTINGS -> Offence.SETTINGS;
      case PING -> Offence.PING;
      case LATE_FRAME -> Offence.LATE_FRAME;
      case GOAWAY -> Offence.GOAWAY;
      case PRIORITY -> Offence.PRIORITY;
      case WITHOUT_EFFECT -> Offence.WITHOUT_EFFECT;
      case EMPTY_TLS_RECORD -> Offence.EMPTY_TLS_RECORD;
      case TINY_TLS_RECORD -> Offence.TINY_TLS_RECORD;
    };
  }
}
