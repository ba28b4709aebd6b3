package dev.gannet.protocol;

/** The media type of gRPC's requests and responses (PROTOCOL-HTTP2, Content-Type). */
public final class ContentType {
  /** What is sent. */
  public static final String GRPC = "application/grpc";

  private ContentType() {}

  /**
   * Whether a {@code content-type} says gRPC: {@link #GRPC} in any case, alone or followed by a
   * message format ({@code +proto}) or parameters ({@code ;...}). So {@code application/grpc-web}
   * does not.
   */
  public static boolean isGrpc(String value) {
    if (!value.regionMatches(true, 0, GRPC, 0, GRPC.length())) {
      return false;
    }
    return value.length() == GRPC.length()
        || value.charAt(GRPC.length()) == '+'
        || value.charAt(GRPC.length()) == ';';
  }
}
