package dev.gannet.protocol;

import java.util.Set;

/**
 * The names of the fields that the gRPC protocol itself uses (PROTOCOL-HTTP2), in the lower case of
 * the wire.
 */
final class FieldNames {
  static final String METHOD = ":method";
  static final String SCHEME = ":scheme";
  static final String PATH = ":path";
  static final String AUTHORITY = ":authority";
  static final String STATUS = ":status";
  static final String HOST = "host";
  static final String TE = "te";
  static final String CONTENT_TYPE = "content-type";
  static final String USER_AGENT = "user-agent";
  static final String AUTHORIZATION = "authorization";
  static final String GRPC_TIMEOUT = "grpc-timeout";
  static final String GRPC_ENCODING = "grpc-encoding";
  static final String GRPC_ACCEPT_ENCODING = "grpc-accept-encoding";
  static final String GRPC_STATUS = "grpc-status";
  static final String GRPC_MESSAGE = "grpc-message";

  private static final Set<String> OF_THE_PROTOCOL =
      Set.of(
          HOST,
          TE,
          CONTENT_TYPE,
          GRPC_TIMEOUT,
          GRPC_ENCODING,
          GRPC_ACCEPT_ENCODING,
          GRPC_STATUS,
          GRPC_MESSAGE);

  /** Fields that RFC 9113 §8.2.2 forbids, and those that the transport writes itself. */
  private static final Set<String> NOT_TO_BE_SENT =
      Set.of(
          USER_AGENT,
          "connection",
          "keep-alive",
          "proxy-connection",
          "transfer-encoding",
          "upgrade",
          "content-length");

  private FieldNames() {}

  /** Whether the field belongs to the protocol and therefore is not metadata. */
  static boolean isOfTheProtocol(String name) {
    return name.startsWith(":") || OF_THE_PROTOCOL.contains(name);
  }

  /** Whether an application may send the field as metadata. */
  static boolean isForApplications(String name) {
    return !isOfTheProtocol(name) && !NOT_TO_BE_SENT.contains(name);
  }
}
