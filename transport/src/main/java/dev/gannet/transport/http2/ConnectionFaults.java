package dev.gannet.transport.http2;

import dev.gannet.api.transport.PeerFault;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Excess;
import dev.gannet.http2.Violation;
import dev.gannet.transport.FaultReports;
import dev.gannet.transport.settings.OffenceNames;
import java.net.SocketAddress;

/**
 * Reports the faults of one connection's peer: as what a violation of HTTP/2 is counted, and how it
 * is described. The same for clients and servers. Safe for all threads.
 */
final class ConnectionFaults {
  private final FaultReports reports;
  private final SocketAddress peer;

  ConnectionFaults(FaultReports reports, SocketAddress peer) {
    this.reports = reports;
    this.peer = peer;
  }

  /** The connection has failed by this violation. */
  void onFailed(Violation violation) {
    if (violation.code() == ErrorCode.NO_ERROR) {
      return; // a network failure is no fault of the peer
    }
    if (violation instanceof Violation.OverRate over) {
      reports.reportAbuse(OffenceNames.of(over.offence()), peer, describe(violation));
    } else {
      reports.report(faultOf(violation), peer, describe(violation));
    }
  }

  /** A stream was reset because of this violation. */
  void onStreamReset(Violation.OfStream violation) {
    reports.reportOfStream(faultOf(violation), peer, describe(violation));
  }

  /** A stream was ended because of something other than a violation of HTTP/2. */
  void onStreamEnded(PeerFault fault, String rule) {
    reports.reportOfStream(fault, peer, rule);
  }

  /** The connection is closed because memory is short. */
  void onShed(String why) {
    reports.reportShed(peer, why);
  }

  /** The calls are ended because memory is short; the connection stays. */
  void onCallsShed(String why) {
    reports.reportCallsShed(peer, why);
  }

  private static String describe(Violation violation) {
    return violation.code() + ", " + violation.detail();
  }

  private static PeerFault faultOf(Violation violation) {
    return switch (violation) {
      case Violation.OfStream ofStream -> PeerFault.STREAM_VIOLATION;
      case Violation.OutOfTime outOfTime -> PeerFault.TOO_SLOW;
      case Violation.OfConnection ofConnection -> PeerFault.PROTOCOL_VIOLATION;
      case Violation.OverRate overRate -> PeerFault.ABUSE;
      case Violation.OverLimit overLimit -> faultOf(overLimit.excess());
    };
  }

  private static PeerFault faultOf(Excess excess) {
    return switch (excess) {
      case PINGS -> PeerFault.TOO_MANY_PINGS;
      case CONTINUATIONS -> PeerFault.TOO_MANY_CONTINUATIONS;
      case HEADERS -> PeerFault.HEADERS_FAR_TOO_LARGE;
      case SETTINGS_ENTRIES -> PeerFault.SETTINGS_TOO_LONG;
      case UNREAD_REPLIES -> PeerFault.UNREAD_REPLIES;
    };
  }
}
