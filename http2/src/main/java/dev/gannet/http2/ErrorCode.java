package dev.gannet.http2;

/** Why a stream or a connection was ended (RFC 9113 §7). */
public enum ErrorCode {
  NO_ERROR(0x0),
  PROTOCOL_ERROR(0x1),
  INTERNAL_ERROR(0x2),
  FLOW_CONTROL_ERROR(0x3),
  SETTINGS_TIMEOUT(0x4),
  STREAM_CLOSED(0x5),
  FRAME_SIZE_ERROR(0x6),
  REFUSED_STREAM(0x7),
  CANCEL(0x8),
  COMPRESSION_ERROR(0x9),
  CONNECT_ERROR(0xa),
  ENHANCE_YOUR_CALM(0xb),
  INADEQUATE_SECURITY(0xc),
  HTTP_1_1_REQUIRED(0xd);

  private static final ErrorCode[] BY_VALUE = values();

  private final int value;

  ErrorCode(int value) {
    this.value = value;
  }

  /** The code's number on the wire. */
  public int value() {
    return value;
  }

  /** The code with that number; unknown numbers count as {@link #INTERNAL_ERROR}, as §7 allows. */
  public static ErrorCode of(int value) {
    return value >= 0 && value < BY_VALUE.length ? BY_VALUE[value] : INTERNAL_ERROR;
  }
}
