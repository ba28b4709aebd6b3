package dev.gannet.protocol;

import dev.gannet.http2.hpack.HeaderField;

/** A call's head without its timeout. Immutable, except the array, which is never written to. */
final class SharedHead {
  /** The timeout of a call without a deadline. */
  static final long FOR_EVER = -1;

  private static final Object[] NO_METADATA = {};

  final RequestProtocol protocol;
  final HeaderField path;
  final String authority;
  final String format;
  final Encodings encodings;

  /** A name at each even index, followed by its value; never written to. */
  final Object[] metadata;

  /** The encoding of a call's requests, and the encodings that its responses may have, by name. */
  record Encodings(String ofRequests, String accepted) {}

  /** Keeps the array, which the caller must not use any more. */
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

  /** A head without further fields. */
  static SharedHead of(RequestProtocol protocol, HeaderField path, String authority) {
    Encodings plain = new Encodings(MessageEncoding.IDENTITY.wireName(), "");
    return new SharedHead(protocol, path, authority, "", plain, NO_METADATA);
  }

  SharedHead withPath(HeaderField other) {
    return new SharedHead(protocol, other, authority, format, encodings, metadata);
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
