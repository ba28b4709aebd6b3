package dev.gannet.http2;

/** A rule the peer broke, and what it costs: its stream, or the connection (RFC 9113 §5.4). */
public sealed interface Violation {
  ErrorCode code();

  /** The rule, in words of ours alone. */
  String detail();

  record OfStream(int streamId, ErrorCode code, String detail) implements Violation {}

  record OfConnection(ErrorCode code, String detail) implements Violation {}

  /** The peer took longer than it may; costs the connection. */
  record OutOfTime(ErrorCode code, String detail) implements Violation {}
}
