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

  /** Whether a PING that arrived is within the limits. */
  boolean isTolerable(boolean hasStreams, long nowNanos) {
    return strikes.isTolerable(hasStreams, nowNanos, pauses.slackNanos(nowNanos));
  }
}
