package dev.gannet.transport.http2;

import dev.gannet.api.transport.PeerFault;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;

/** How violations of HTTP/2 are counted. */
final class Faults {
  private Faults() {}

  static PeerFault of(Violation violation) {
    return switch (violation) {
      case Violation.OfStream ofStream -> PeerFault.STREAM_VIOLATION;
      case Violation.OutOfTime outOfTime -> PeerFault.TOO_SLOW;
      case Violation.OfConnection broken ->
          broken.code() == ErrorCode.ENHANCE_YOUR_CALM
              ? PeerFault.ABUSE
              : PeerFault.PROTOCOL_VIOLATION;
    };
  }
}
