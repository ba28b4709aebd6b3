package dev.gannet.http2.connection;

import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;
import java.util.Optional;

/**
 * What happens when a peer breaks a rule on one stream (RFC 9113 §5.4.2): the stream is reset, and
 * the ledger counts it, so that nobody can make this side reset streams in a loop (CVE-2025-8671).
 */
final class StreamErrors {
  static final String HEADERS = "HEADERS";

  private final ConnectionEnvironment environment;
  private final Streams streams;
  private final Outbound outbound;
  private final PeerCredit credit;
  private final AbuseLedger ledger;

  StreamErrors(
      ConnectionEnvironment environment,
      Streams streams,
      Outbound outbound,
      PeerCredit credit,
      AbuseLedger ledger) {
    this.environment = environment;
    this.streams = streams;
    this.outbound = outbound;
    this.credit = credit;
    this.ledger = ledger;
  }

  /**
   * A frame arrived on a closed stream. After an end, a client's frame closes the connection; a
   * server's frame is only counted, because a client may have forgotten that it reset the stream.
   *
   * @return whether it may have been on its way to a stream that is known to have been reset
   */
  boolean onGone(int streamId, String frame, EndStream end) {
    boolean onItsWay = spendIfEnd(streamId, end);
    if (onItsWay) {
      onFrameAfterReset(frame, end);
    } else if (environment.isServer()) {
      outbound.fail(
          new Violation.OfConnection(ErrorCode.STREAM_CLOSED, frame + " on a closed stream"));
    } else {
      countLateFrame();
    }
    return onItsWay;
  }

  /** Counts an end as arrived; returns whether the frame may have been on its way. */
  private boolean spendIfEnd(int streamId, EndStream end) {
    return end == EndStream.YES
        ? credit.lateFrames().spendEnd(streamId)
        : credit.lateFrames().contains(streamId);
  }

  /**
   * What was on its way when the stream was reset; from a client at most one more header list,
   * which is the last. Lists that do not end the stream might arrive for ever.
   */
  private void onFrameAfterReset(String frame, EndStream end) {
    if (end == EndStream.YES || !frame.equals(HEADERS)) {
      return;
    }
    if (environment.isServer()) {
      charge(AbuseKind.WITHOUT_EFFECT);
    } else {
      countLateFrame();
    }
  }

  private void countLateFrame() {
    if (!credit.lateFrames().spendFrame()) {
      charge(AbuseKind.LATE_FRAME);
    }
  }

  /** Resets a stream on which the peer broke a rule, tells its listener, and counts an offence. */
  void reset(Http2Stream stream, ErrorCode code, String detail) {
    outbound.reset(stream, code);
    Violation.OfStream violation = new Violation.OfStream(stream.id(), code, detail);
    if (environment.isClient() || stream.hasHead) {
      environment.events().onBroken(stream, violation);
    } else {
      streams.release(); // the driver does not know it
    }
    environment.events().onViolation(violation); // after its end: a log may throw
    charge(AbuseKind.RESET_STREAM);
  }

  /** Counts an offence of the peer; false if it is one too many and closes the connection. */
  boolean charge(AbuseKind offence) {
    Optional<Violation> violation = ledger.charge(offence, environment.nowNanos());
    violation.ifPresent(outbound::fail);
    return violation.isEmpty();
  }

  /** Takes one offence back: the peer did something useful. */
  void payBack(AbuseKind offence) {
    ledger.payBack(offence);
  }

  /** Counts DATA that was on its way to a stream that was reset; false if it is more than that. */
  boolean spendLateData(int bytes) {
    return credit.lateFrames().spendData(bytes);
  }
}
