package dev.gannet.http2.message;

/** What a header list is to be of its message (RFC 9113 §8.1). */
public enum MessagePart {
  REQUEST,
  REQUEST_TRAILERS,
  RESPONSE,
  RESPONSE_TRAILERS
}
