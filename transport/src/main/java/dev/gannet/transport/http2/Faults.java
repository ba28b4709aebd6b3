package dev.gannet.transport.http2;

import dev.gannet.api.transport.PeerFault;
import dev.gannet.http2.Excess;
import dev.gannet.http2.Violation;

/** How violations of HTTP/2 are counted. */
final class Faults {
  private Faults() {}

  static PeerFault of(Violation violation) {
    return switch (violation) {
      case Violation.OfStream ofStream -> PeerFault.STREAM_VIOLATION;
      case Violation.OutOfTime outOfTime -> PeerFault.TOO_SLOW;
      case Violation.OfConnection ofConnection -> PeerFault.PROTOCOL_VIOLATION;
      case Violation.OverRate overRate -> PeerFault.ABUSE;
      case Violation.OverLimit overLimit -> of(overLimit.excess());
    };
  }

  private static PeerFault of(Excess excess) {
    return switch (excess) {
      case PINGS -> PeerFault.TOO_MANY_PINGS;
      case CONTINUATIONS -> PeerFault.TOO_MANY_CONTINUATIONS;
      case HEADERS -> PeerFault.HEADERS_FAR_TOO_LARGE;
      case SETTINGS_ENTRIES -> PeerFault.SETTINGS_TOO_LONG;
      case UNREAD_REPLIES -> PeerFault.UNREAD_REPLIES;
    };
  }
}
