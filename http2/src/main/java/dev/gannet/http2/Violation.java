package dev.gannet.http2;

import dev.gannet.http2.AbuseKind.Rate;

/** A rule that the peer broke, and what it ends: the stream, or the connection (RFC 9113 §5.4). */
public sealed interface Violation {
  ErrorCode code();

  /** The rule, as a text that contains nothing from the peer. */
  String detail();

  record OfStream(int streamId, ErrorCode code, String detail) implements Violation {}

  /** The peer broke a rule of the protocol; this closes the connection. */
  record OfConnection(ErrorCode code, String detail) implements Violation {
    /**
     * Checks the code, which says that a rule was broken.
     *
     * @throws IllegalArgumentException for ENHANCE_YOUR_CALM: that is {@link OverRate} or {@link
     *     OverLimit}, so that faults are counted by their kind
     */
    public OfConnection {
      if (code == ErrorCode.ENHANCE_YOUR_CALM) {
        throw new IllegalArgumentException("OverRate or OverLimit: " + detail);
      }
    }
  }

  /** The peer did something more often than allowed; this closes the connection. */
  record OverRate(AbuseKind offence, Rate rate) implements Violation {
    @Override
    public ErrorCode code() {
      return ErrorCode.ENHANCE_YOUR_CALM;
    }

    @Override
    public String detail() {
      return offence.exceeds(rate);
    }
  }

  /** The peer exceeded a limit that is no rate; this closes the connection. */
  record OverLimit(Excess excess, String detail) implements Violation {
    @Override
    public ErrorCode code() {
      return ErrorCode.ENHANCE_YOUR_CALM;
    }
  }

  /** The peer took longer than allowed; this closes the connection. */
  record OutOfTime(ErrorCode code, String detail) implements Violation {}
}
