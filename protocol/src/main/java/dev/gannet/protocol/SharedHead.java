package dev.gannet.protocol;

import dev.gannet.http2.hpack.HeaderField;

/** All of a call's head but its timeout. Immutable, but for the array, which nobody writes to. */
final class SharedHead {
  /** The timeout of a call that has none. */
  static final long FOR_EVER = -1;

  private static final Object[] NO_METADATA = {};

  final RequestProtocol protocol;
  final HeaderField path;
  final String authority;
  final String format;
  final Encodings encodings;

  /** A name at each even place, its value behind it; never written to. */
  final Object[] metadata;

  /** What a call's requests are compressed with, and what its responses may be, by name. */
  record Encodings(String ofRequests, String accepted) {}

  /** Keeps the array: the caller gives it away. */
  SharedHead(
      RequestProtocol protocol,
      HeaderField path,
      String authority,
      String format,
      Encodings encodings,
      Object[] metadata) {
    this.protocol = protocol;
    this.path = path;
    this.authority = authority;
    this.format = format;
    this.encodings = encodings;
    this.metadata = metadata;
  }

  /** A head that says nothing more. */
  static SharedHead of(RequestProtocol protocol, HeaderField path, String authority) {
    Encodings plain = new Encodings(MessageEncoding.IDENTITY.wireName(), "");
    return new SharedHead(protocol, path, authority, "", plain, NO_METADATA);
  }

  SharedHead withFormat(String other) {
    return new SharedHead(protocol, path, authority, other, encodings, metadata);
  }

  SharedHead with(Encodings other) {
    return new SharedHead(protocol, path, authority, format, other, metadata);
  }

  SharedHead withMetadata(Object[] other) {
    return new SharedHead(protocol, path, authority, format, encodings, other);
  }
}
