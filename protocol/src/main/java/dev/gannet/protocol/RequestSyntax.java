package dev.gannet.protocol;

import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * What is particular to the heads of one protocol's requests, for {@link RequestHeadReader}: names
 * of fields, and how their values are read. Its functions are called on the loops of connections,
 * must be safe for all threads, and must not throw.
 *
 * @param protocol the name of the protocol in the texts of errors
 */
public record RequestSyntax(
    String protocol, ContentTypes contentTypes, Timeout timeout, Encodings encodings) {

  /** The name of a field that a protocol does not have; no received field has it. */
  private static final String NO_FIELD = "";

  /** gRPC's requests (PROTOCOL-HTTP2). */
  static final RequestSyntax GRPC =
      new RequestSyntax(
          "gRPC",
          new ContentTypes(ContentType.GRPC, ContentType::isGrpc, ContentType::format),
          new Timeout(FieldNames.GRPC_TIMEOUT, GrpcTimeout::parseNanos),
          new Encodings(FieldNames.GRPC_ENCODING, FieldNames.GRPC_ACCEPT_ENCODING));

  /**
   * The values of {@code content-type} that requests may have.
   *
   * @param expected what they should be, in the text of the error
   * @param areAccepted whether a request may have this value; it is empty if the field is missing
   * @param format the message format that an accepted value names, in lower case; empty if it names
   *     none
   */
  public record ContentTypes(
      String expected, Predicate<String> areAccepted, UnaryOperator<String> format) {
    /** Any value or none, without a message format. */
    public static final ContentTypes ANY = new ContentTypes("any", type -> true, type -> "");
  }

  /**
   * The field that says how long the client waits.
   *
   * @param field its name, in lower case
   * @param nanos its value in nanoseconds, 0 or more; empty if it is malformed
   */
  public record Timeout(String field, Function<String, OptionalLong> nanos) {
    /** For a protocol without timeouts. */
    public static final Timeout NONE = new Timeout(NO_FIELD, value -> OptionalLong.empty());
  }

  /**
   * The fields that name encodings of messages.
   *
   * @param field the name of the field for the encoding of the request, in lower case
   * @param acceptedField the name of the field for those that the response may have, separated by
   *     commas
   */
  public record Encodings(String field, String acceptedField) {
    /** For a protocol without compression. */
    public static final Encodings NONE = new Encodings(NO_FIELD, NO_FIELD);
  }
}
