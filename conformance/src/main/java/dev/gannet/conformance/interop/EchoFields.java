package dev.gannet.conformance.interop;

import dev.gannet.api.Metadata;

/** Metadata that the server of the interop tests sends back. */
final class EchoFields {
  /** Is sent back in the response headers. */
  static final Metadata.Key<String> INITIAL = Metadata.Key.ascii("x-grpc-test-echo-initial");

  /** Is sent back in the trailers. */
  static final Metadata.Key<byte[]> TRAILING = Metadata.Key.binary("x-grpc-test-echo-trailing-bin");

  private EchoFields() {}
}
