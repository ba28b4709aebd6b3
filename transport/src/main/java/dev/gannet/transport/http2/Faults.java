package dev.gannet.transport.http2;

import dev.gannet.api.transport.PeerFault;
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
      case Violation.OverLimit overLimit -> PeerFault.ABUSE;
    };
  }
}
