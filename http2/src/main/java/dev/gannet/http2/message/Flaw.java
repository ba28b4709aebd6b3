package dev.gannet.http2.message;

/** A rule that, if broken, makes a message malformed (RFC 9113 §8.1.1). */
public enum Flaw implements FieldValidation {
  NAME_EMPTY("a field without a name (RFC 9113 §8.2.1)"),
  NAME_IN_UPPER_CASE("upper case in a field's name (RFC 9113 §8.2.1)"),
  NAME_OCTET("a space, control or non-ASCII octet in a field's name (RFC 9113 §8.2.1)"),
  NAME_COLON("a colon inside a field's name (RFC 9113 §8.2.1)"),
  VALUE_OCTET("NUL, CR or LF in a field's value (RFC 9113 §8.2.1)"),
  VALUE_SPACED("a space or tab at the start or end of a field's value (RFC 9113 §8.2.1)"),
  CONNECTION_SPECIFIC("a connection-specific field (RFC 9113 §8.2.2)"),
  TE("te is not \"trailers\" (RFC 9113 §8.2.2)"),
  PSEUDO_UNKNOWN("an unknown pseudo-field (RFC 9113 §8.3)"),
  PSEUDO_LATE("a pseudo-field after a regular field (RFC 9113 §8.3)"),
  PSEUDO_TWICE("a repeated pseudo-field (RFC 9113 §8.3)"),
  PSEUDO_IN_TRAILERS("a pseudo-field in trailers (RFC 9113 §8.1)"),
  PSEUDO_OF_RESPONSE("a response's pseudo-field in a request (RFC 9113 §8.3)"),
  PSEUDO_OF_REQUEST("a request's pseudo-field in a response (RFC 9113 §8.3)"),
  METHOD("a request without a valid :method (RFC 9113 §8.3.1)"),
  SCHEME("a request whose :scheme is neither http nor https (RFC 9113 §8.3.1)"),
  PATH("a request without a :path, or with an empty one (RFC 9113 §8.3.1)"),
  AUTHORITY(":authority is not a host with an optional port (RFC 9113 §8.3.1, RFC 3986 §3.2)"),
  HOST("host is not a host with an optional port (RFC 9110 §7.2, RFC 3986 §3.2)"),
  CONNECT("a CONNECT with :scheme or :path, or without :authority (RFC 9113 §8.5)"),
  STATUS("a response without a valid :status (RFC 9113 §8.3.2)"),
  CONTENT_LENGTH("content-length is not one decimal number (RFC 9110 §8.6)"),
  CONTENT_TOO_LONG("more DATA than content-length says (RFC 9113 §8.1.1)"),
  CONTENT_TOO_SHORT("less DATA than content-length says (RFC 9113 §8.1.1)"),
  CONTENT_EARLY("DATA before the headers of the response (RFC 9113 §8.1)"),
  INTERIM_AT_END("an interim response that ends its stream (RFC 9113 §8.1)"),
  INTERIMS_ENDLESS("too many interim responses to one request"),
  HEADERS_TWICE("a second header list that does not end its stream (RFC 9113 §8.1)");

  private final String description;

  Flaw(String description) {
    this.description = description;
  }

  /** The rule that the message breaks, for logs and statuses. */
  public String description() {
    return description;
  }
}
