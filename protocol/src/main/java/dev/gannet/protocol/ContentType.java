package dev.gannet.protocol;

import java.util.Locale;

/** The media type of gRPC's requests and responses (PROTOCOL-HTTP2, Content-Type). */
public final class ContentType {
  /** The value that is sent. */
  public static final String GRPC = "application/grpc";

  private ContentType() {}

  /**
   * Whether a {@code content-type} is gRPC's: {@link #GRPC} in upper or lower case, alone or
   * followed by a message format ({@code +proto}) or parameters ({@code ;...}). {@code
   * application/grpc-web} is not.
   */
  public static boolean isGrpc(String value) {
    if (!value.regionMatches(true, 0, GRPC, 0, GRPC.length())) {
      return false;
    }
    return value.length() == GRPC.length()
        || value.charAt(GRPC.length()) == '+'
        || value.charAt(GRPC.length()) == ';';
  }

  /** The message format in such a value, in lower case; empty if it names none. */
  static String format(String value) {
    if (value.length() == GRPC.length() || value.charAt(GRPC.length()) == ';') {
      return "";
    }
    int parameters = value.indexOf(';');
    int end = parameters < 0 ? value.length() : parameters;
    return value.substring(GRPC.length() + 1, end).strip().toLowerCase(Locale.ROOT);
  }
}
