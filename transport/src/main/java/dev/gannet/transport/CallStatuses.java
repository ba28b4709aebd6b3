package dev.gannet.transport;

import dev.gannet.api.Status;

/** The statuses with which all transports end calls, in the same words. */
public final class CallStatuses {
  /** A client has sent a second message where the method allows one. */
  public static final Status SECOND_REQUEST =
      Status.UNIMPLEMENTED.withDescription(
          "the client sent more than one request message; this method allows one");

  /** The call was late when the server read its headers. */
  public static final Status LATE_AT_SERVER =
      Status.DEADLINE_EXCEEDED.withDescription(
          "deadline exceeded before the server read the request");

  /** A client does not accept the metadata of a response. */
  public static final Status OVERSIZED_RESPONSE_METADATA =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "the response's headers or trailers exceed the client's maxInboundMetadataBytes, or its"
              + " maxHeaderFields; raise it in ManagedChannelBuilder (TransportLimits)");

  private CallStatuses() {}

  /** The server has no method with this name, which a peer may have made up. */
  public static Status unknownMethod(String fullMethodName) {
    return Status.UNIMPLEMENTED.withDescription(
        "Method not found: " + PeerText.escaped(fullMethodName));
  }

  /**
   * The server would not accept the metadata of a request, which was not sent.
   *
   * @param option where the limit is set
   */
  public static Status oversizedRequestMetadata(long bytes, long limitBytes, String option) {
    return Status.RESOURCE_EXHAUSTED.withDescription(
        "the request's headers of "
            + bytes
            + " bytes exceed the server's limit of "
            + limitBytes
            + " ("
            + option
            + ")");
  }
}
