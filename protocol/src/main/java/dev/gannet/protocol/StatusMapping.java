package dev.gannet.protocol;

import dev.gannet.api.Status;
import dev.gannet.http2.ErrorCode;

/**
 * The tables from HTTP/2 error codes and HTTP statuses to gRPC statuses (PROTOCOL-HTTP2,
 * http-grpc-status-mapping).
 */
public final class StatusMapping {
  private StatusMapping() {}

  /** The status of a client's call whose stream the server has reset. */
  public static Status ofReset(ErrorCode code) {
    Status status =
        switch (code) {
          case REFUSED_STREAM -> Status.UNAVAILABLE;
          case CANCEL -> Status.CANCELLED;
          case ENHANCE_YOUR_CALM -> Status.RESOURCE_EXHAUSTED;
          case INADEQUATE_SECURITY -> Status.PERMISSION_DENIED;
          case HTTP_1_1_REQUIRED -> Status.UNKNOWN;
          case NO_ERROR,
              PROTOCOL_ERROR,
              INTERNAL_ERROR,
              FLOW_CONTROL_ERROR,
              SETTINGS_TIMEOUT,
              STREAM_CLOSED,
              FRAME_SIZE_ERROR,
              COMPRESSION_ERROR,
              CONNECT_ERROR ->
              Status.INTERNAL;
        };
    return status.withDescription("the server reset the stream: " + code);
  }

  /** The status of a call whose answer has this HTTP status and no gRPC status. */
  public static Status ofHttp(int httpStatus) {
    Status status =
        switch (httpStatus) {
          case 400, 431 -> Status.INTERNAL;
          case 401 -> Status.UNAUTHENTICATED;
          case 403 -> Status.PERMISSION_DENIED;
          case 404 -> Status.UNIMPLEMENTED;
          case 429, 502, 503, 504 -> Status.UNAVAILABLE;
          default -> Status.UNKNOWN;
        };
    return status.withDescription(
        "the response has HTTP status " + httpStatus + " and no gRPC status");
  }
}
