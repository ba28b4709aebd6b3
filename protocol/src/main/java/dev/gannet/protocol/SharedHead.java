package dev.gannet.protocol;

import dev.gannet.http2.hpack.HeaderField;

/** All of a call's head but its timeout. */
final class SharedHead {
  /** The timeout of a call that has none. */
  static final long FOR_EVER = -1;

  final RequestProtocol protocol;
  final HeaderField path;
  final String authority;
  final String format;
  final String encoding;
  final String acceptEncoding;

  /** A name at each even place, its value behind it; never written to. */
  final Object[] metadata;

  /** Keeps the array: the caller gives it away. */
  SharedHead(
      RequestProtocol protocol,
      HeaderField path,
      String authority,
      String format,
      String encoding,
      String acceptEncoding,
      Object[] metadata) {
    this.protocol = protocol;
    this.path = path;
    this.authority = authority;
    this.format = format;
    this.encoding = encoding;
    this.acceptEncoding = acceptEncoding;
    this.metadata = metadata;
  }

  SharedHead withFormat(String other) {
    return new SharedHead(protocol, path, authority, other, encoding, acceptEncoding, metadata);
  }

  SharedHead withEncodings(String other, String otherAccepted) {
    return new SharedHead(protocol, path, authority, format, other, otherAccepted, metadata);
  }

  SharedHead withMetadata(Object[] other) {
    return new SharedHead(protocol, path, authority, format, encoding, acceptEncoding, other);
  }
}
