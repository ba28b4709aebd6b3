package dev.gannet.conformance.interop;

import java.util.List;
import java.util.Optional;

/**
 * A case that is known to fail between two implementations, and not for our sake.
 *
 * @param reason why it fails, for people
 * @param complaint how the line ends that the client says of it
 */
record Divergence(
    Implementation client,
    Implementation server,
    String testCase,
    String reason,
    String complaint) {
  /** All that are known; each is checked, so that one that is gone cannot stay here. */
  static final List<Divergence> KNOWN =
      List.of(
          new Divergence(
              Implementation.GANNET,
              Implementation.GRPC_JAVA,
              "client_compressed_unary",
              "grpc-java gives its services no way to see how a message came, so its server takes"
                  + " the probe's lie for the truth",
              "expected INVALID_ARGUMENT, got OK"),
          new Divergence(
              Implementation.GANNET,
              Implementation.GRPC_JAVA,
              "client_compressed_streaming",
              "the same, for a stream of requests",
              "expected INVALID_ARGUMENT, got OK"),
          new Divergence(
              Implementation.GANNET,
              Implementation.GRPC_JAVA,
              "server_compressed_streaming",
              "grpc-java's server never compresses the responses of a stream, and its own client"
                  + " does not look",
              "expected [true, false], got [false, false]"),
          new Divergence(
              Implementation.GANNET,
              Implementation.GRPC_JAVA,
              "pick_first_unary",
              "grpc-java's server never says its id, and its own client does not look",
              "whether the server has an id: expected true, got false"));

  static Optional<Divergence> of(Implementation client, Implementation server, String testCase) {
    return KNOWN.stream()
        .filter(it -> it.client == client && it.server == server && it.testCase.equals(testCase))
        .findAny();
  }
}
