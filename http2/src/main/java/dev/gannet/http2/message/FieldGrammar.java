package dev.gannet.http2.message;

import dev.gannet.http2.hpack.HeaderField;

/** The syntax of a single field (RFC 9113 §8.2, §8.3). */
final class FieldGrammar {
  private static final String TOKEN_SIGNS = "!#$%&'*+-.^_`|~"; // RFC 9110 §5.6.2
  private static final int STATUS_DIGITS = 3;
  private static final String SWITCHING_PROTOCOLS = "101"; // HTTP/2 has none, RFC 9113 §8.6

  /** A {@code long} can hold any number with this many digits. */
  private static final int MAX_LENGTH_DIGITS = 18;

  /**
   * For values of this length or more, the JVM's vectorized search is faster than a loop, even
   * three times over.
   */
  private static final int LONG_VALUE = 32;

  private FieldGrammar() {}

  /** The result of checking a field, cached from the first time. */
  static FieldValidation validation(HeaderField field) {
    return field.validation(FieldValidation.class, FieldGrammar::validate);
  }

  /** Whether a field of that name is regular if its value is, and has no special role. */
  static boolean isPlain(String name) {
    return !name.isEmpty()
        && name.charAt(0) != ':'
        && validateName(name) == FieldSort.REGULAR
        && validateRegular(name, "", FieldSort.SPACED) == FieldSort.SPACED;
  }

  /** Whether a value is regular. */
  static boolean isRegular(String value) {
    return validateValue(value) == FieldSort.REGULAR;
  }

  private static FieldValidation validate(HeaderField field) {
    String name = field.name();
    if (name.isEmpty()) {
      return Flaw.NAME_EMPTY;
    }
    FieldValidation ofValue = validateValue(field.value());
    if (name.charAt(0) == ':') {
      return ofValue == FieldSort.REGULAR ? validatePseudo(name, field.value()) : asFlaw(ofValue);
    }
    FieldValidation ofName = validateName(name);
    if (ofName != FieldSort.REGULAR) {
      return ofName;
    }
    return ofValue instanceof Flaw ? ofValue : validateRegular(name, field.value(), ofValue);
  }

  private static FieldValidation asFlaw(FieldValidation ofValue) {
    return ofValue == FieldSort.SPACED ? Flaw.VALUE_SPACED : ofValue;
  }

  private static FieldValidation validateName(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c <= ' ' || c >= 0x7f) {
        return Flaw.NAME_OCTET;
      }
      if (c >= 'A' && c <= 'Z') {
        return Flaw.NAME_IN_UPPER_CASE;
      }
      if (c == ':') {
        return Flaw.NAME_COLON;
      }
    }
    return FieldSort.REGULAR;
  }

  private static FieldValidation validateValue(String value) {
    int length = value.length();
    if (length < LONG_VALUE ? hasForbiddenAmongFew(value) : hasForbidden(value)) {
      return Flaw.VALUE_OCTET;
    }
    boolean spaced = length > 0 && (isSpace(value.charAt(0)) || isSpace(value.charAt(length - 1)));
    return spaced ? FieldSort.SPACED : FieldSort.REGULAR;
  }

  private static boolean hasForbiddenAmongFew(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c <= '\r' && (c == 0 || c == '\r' || c == '\n')) { // nearly all are above: one comparison
        return true;
      }
    }
    return false;
  }

  private static boolean hasForbidden(String value) {
    return value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0 || value.indexOf(0) >= 0;
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }

  private static FieldValidation validatePseudo(String name, String value) {
    return switch (name) {
      case ":method" -> isOf(value, TOKEN_SIGNS) ? FieldSort.METHOD : Flaw.METHOD;
      case ":scheme" -> isScheme(value) ? FieldSort.SCHEME : Flaw.SCHEME;
      case ":path" -> value.isEmpty() ? Flaw.PATH : FieldSort.PATH;
      case ":authority" -> AuthorityGrammar.matches(value) ? FieldSort.AUTHORITY : Flaw.AUTHORITY;
      case ":status" -> isStatus(value) ? FieldSort.STATUS : Flaw.STATUS;
      default -> Flaw.PSEUDO_UNKNOWN;
    };
  }

  /** The two schemes of HTTP, in upper or lower case (RFC 3986 §3.1). */
  private static boolean isScheme(String value) {
    return value.equalsIgnoreCase("http") || value.equalsIgnoreCase("https");
  }

  private static FieldValidation validateRegular(
      String name, String value, FieldValidation ofValue) {
    return switch (name) {
      case "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade" ->
          Flaw.CONNECTION_SPECIFIC;
      case "te" -> value.equalsIgnoreCase("trailers") ? FieldSort.REGULAR : Flaw.TE;
      case "host" -> validateHost(value, ofValue);
      case "content-length" -> isLength(value) ? FieldSort.CONTENT_LENGTH : Flaw.CONTENT_LENGTH;
      default -> ofValue;
    };
  }

  /** An invalid host is a flaw only if there is no {@code :authority} (gRFC A41). */
  private static FieldValidation validateHost(String value, FieldValidation ofValue) {
    if (AuthorityGrammar.matches(value)) {
      return FieldSort.REGULAR;
    }
    return ofValue == FieldSort.SPACED ? FieldSort.SPACED : FieldSort.NO_HOST;
  }

  /** Whether a text is not empty and has only letters, digits and those characters. */
  private static boolean isOf(String text, String signs) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && !isDigit(c) && signs.indexOf(c) < 0) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  private static boolean isStatus(String value) {
    return value.length() == STATUS_DIGITS
        && isDigits(value)
        && value.charAt(0) != '0'
        && !value.equals(SWITCHING_PROTOCOLS);
  }

  private static boolean isLength(String value) {
    return !value.isEmpty() && value.length() <= MAX_LENGTH_DIGITS && isDigits(value);
  }

  private static boolean isDigits(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isDigit(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
