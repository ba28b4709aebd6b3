package dev.gannet.http2.connection;

import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Excess;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Role;
import dev.gannet.http2.Violation;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The peer's SETTINGS (RFC 9113 §6.5.2), with the default values until it sends some. */
final class PeerSettings {
  static final int HEADER_TABLE_SIZE = 0x1;
  static final int ENABLE_PUSH = 0x2;
  static final int MAX_CONCURRENT_STREAMS = 0x3;
  static final int INITIAL_WINDOW_SIZE = 0x4;
  static final int MAX_FRAME_SIZE = 0x5;
  static final int MAX_HEADER_LIST_SIZE = 0x6;

  private static final int ENTRY_BYTES = 6;
  private static final int MAX_ENTRIES = 32;

  private final Role self;
  private long headerTableBytes = 4096;
  private long smallestHeaderTableBytes = 4096;
  private long maxConcurrentStreams = Long.MAX_VALUE;
  private int initialWindowBytes = Limits.INITIAL_WINDOW_BYTES;
  private long maxHeaderListBytes = Long.MAX_VALUE;

  PeerSettings(Role self) {
    this.self = self;
  }

  /** Applies a SETTINGS payload. */
  Optional<Violation> apply(ByteBuffer payload) {
    if (payload.remaining() % ENTRY_BYTES != 0) {
      return broken(ErrorCode.FRAME_SIZE_ERROR, "the length of SETTINGS is not a multiple of 6");
    }
    if (payload.remaining() > MAX_ENTRIES * ENTRY_BYTES) {
      return Optional.of(
          new Violation.OverLimit(
              Excess.SETTINGS_ENTRIES, "SETTINGS has more than " + MAX_ENTRIES + " entries"));
    }
    Optional<Violation> violation = Optional.empty();
    smallestHeaderTableBytes = headerTableBytes;
    while (payload.hasRemaining() && violation.isEmpty()) {
      violation = applyOne(payload.getShort() & 0xffff, payload.getInt() & 0xffff_ffffL);
    }
    return violation;
  }

  private Optional<Violation> applyOne(int id, long value) {
    switch (id) {
      case HEADER_TABLE_SIZE -> {
        headerTableBytes = value;
        smallestHeaderTableBytes = Math.min(smallestHeaderTableBytes, value);
      }
      case ENABLE_PUSH -> {
        return checkPush(value);
      }
      case MAX_CONCURRENT_STREAMS -> maxConcurrentStreams = value;
      case INITIAL_WINDOW_SIZE -> {
        if (value > Integer.MAX_VALUE) {
          return broken(
              ErrorCode.FLOW_CONTROL_ERROR, "SETTINGS_INITIAL_WINDOW_SIZE is over 2^31-1");
        }
        initialWindowBytes = (int) value;
      }
      case MAX_FRAME_SIZE -> {
        if (value < Limits.SMALLEST_MAX_FRAME_BYTES || value > Limits.LARGEST_MAX_FRAME_BYTES) {
          return broken(ErrorCode.PROTOCOL_ERROR, "SETTINGS_MAX_FRAME_SIZE is out of range");
        }
      }
      case MAX_HEADER_LIST_SIZE -> maxHeaderListBytes = value;
      default -> {} // unknown settings must be ignored, RFC 9113 §6.5.2
    }
    return Optional.empty();
  }

  private Optional<Violation> checkPush(long value) {
    if (value > 1) {
      return broken(ErrorCode.PROTOCOL_ERROR, "SETTINGS_ENABLE_PUSH is neither 0 nor 1");
    }
    return self == Role.CLIENT && value == 1
        ? broken(ErrorCode.PROTOCOL_ERROR, "a server sent SETTINGS_ENABLE_PUSH of 1")
        : Optional.empty();
  }

  private static Optional<Violation> broken(ErrorCode code, String detail) {
    return Optional.of(new Violation.OfConnection(code, detail));
  }

  long headerTableBytes() {
    return headerTableBytes;
  }

  /** The smallest of all table sizes in the last SETTINGS and in those before (RFC 7541 §4.2). */
  long smallestHeaderTableBytes() {
    return smallestHeaderTableBytes;
  }

  long maxConcurrentStreams() {
    return maxConcurrentStreams;
  }

  int initialWindowBytes() {
    return initialWindowBytes;
  }

  long maxHeaderListBytes() {
    return maxHeaderListBytes;
  }
}
