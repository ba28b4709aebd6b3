package dev.gannet.http2;

/** A rule that the peer broke, and what it ends: the stream, or the connection (RFC 9113 §5.4). */
public sealed interface Violation {
  ErrorCode code();

  /** The rule, as a text that contains nothing from the peer. */
  String detail();

  record OfStream(int streamId, ErrorCode code, String detail) implements Violation {}

  record OfConnection(ErrorCode code, String detail) implements Violation {}

  /** The peer took longer than allowed; this closes the connection. */
  record OutOfTime(ErrorCode code, String detail) implements Violation {}
}
