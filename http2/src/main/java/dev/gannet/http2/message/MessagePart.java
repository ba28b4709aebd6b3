package dev.gannet.http2.message;

/** Which part of its message a header list is (RFC 9113 §8.1). */
public enum MessagePart {
  REQUEST,
  REQUEST_TRAILERS,
  RESPONSE,
  RESPONSE_TRAILERS
}
