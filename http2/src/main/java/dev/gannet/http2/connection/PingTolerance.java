package dev.gannet.http2.connection;

import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.PingLimits;
import dev.gannet.http2.time.PingStrikes;

/** Which PINGs of the peer are answered (gRFC A8); HEADERS and DATA of this side excuse them. */
final class PingTolerance {
  private final PingStrikes strikes;
  private final AbuseLedger ledger;
  private final PauseCredit pauses;

  PingTolerance(PingLimits limits, AbuseLedger ledger, PauseCredit pauses) {
    this.strikes = new PingStrikes(limits);
    this.ledger = ledger;
    this.pauses = pauses;
  }

  /** HEADERS or DATA were written: reason enough for the peer to measure the round trip. */
  void onStreamFrameSent() {
    strikes.onSent();
    ledger.forgive(AbuseKind.PING);
  }

  /** A PING arrived; false if it exceeds the limits. */
  boolean onPing(boolean hasStreams, long nowNanos) {
    return strikes.onPing(hasStreams, nowNanos, pauses.slackNanos(nowNanos));
  }
}
