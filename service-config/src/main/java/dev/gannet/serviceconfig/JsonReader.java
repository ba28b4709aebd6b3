package dev.gannet.serviceconfig;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one JSON text (RFC 8259) as maps, lists, strings, {@link BigDecimal}s, booleans, and {@link
 * Nothing} for {@code null}. Limits: {@value #MAX_CHARS} characters, {@value #MAX_DEPTH} levels,
 * numbers of {@value #MAX_DIGITS} characters. A name must not appear twice in an object.
 */
final class JsonReader {
  static final int MAX_CHARS = 1 << 16;
  static final int MAX_DEPTH = 32;
  private static final int MAX_DIGITS = 64;
  private static final int HEX = 16;
  private static final int ESCAPE_DIGITS = 4;

  /** The result for {@code null}. */
  enum Nothing {
    NULL
  }

  private final String text;
  private int at;
  private int depth;

  private JsonReader(String text) {
    this.text = text;
  }

  /**
   * Parses the text.
   *
   * @throws IllegalArgumentException if it is not JSON, or too long or deep; with the position
   */
  static Object read(String text) {
    if (text.length() > MAX_CHARS) {
      throw new IllegalArgumentException(
          "a service config has at most " + MAX_CHARS + " characters: " + text.length());
    }
    JsonReader reader = new JsonReader(text);
    Object value = reader.value();
    reader.skipSpace();
    if (reader.at < text.length()) {
      throw reader.fault("there is text after the end");
    }
    return value;
  }

  private IllegalArgumentException fault(String what) {
    return new IllegalArgumentException("not JSON at character " + at + ": " + what);
  }

  private Object value() {
    skipSpace();
    return switch (peek()) {
      case '{' -> object();
      case '[' -> list();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", Nothing.NULL);
      default -> number();
    };
  }

  private char peek() {
    if (at >= text.length()) {
      throw fault("it ends too early");
    }
    return text.charAt(at);
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private void expect(char wanted) {
    skipSpace();
    if (peek() != wanted) {
      throw fault("'" + wanted + "' is missing");
    }
    at++;
  }

  private Object word(String word, Object meaning) {
    if (!text.startsWith(word, at)) {
      throw fault("not a valid value");
    }
    at += word.length();
    return meaning;
  }

  private Map<String, Object> object() {
    enter();
    Map<String, Object> fields = new LinkedHashMap<>();
    while (hasNext('}', fields.isEmpty())) {
      skipSpace();
      String name = string();
      expect(':');
      if (fields.put(name, value()) != null) {
        throw fault("the name '" + name + "' appears twice in an object");
      }
    }
    return fields;
  }

  private List<Object> list() {
    enter();
    List<Object> values = new ArrayList<>();
    while (hasNext(']', values.isEmpty())) {
      values.add(value());
    }
    return values;
  }

  private void enter() {
    at++;
    depth++;
    if (depth > MAX_DEPTH) {
      throw fault("it is deeper than " + MAX_DEPTH + " levels");
    }
  }

  /** Whether another element follows; consumes the end of the object or list if none does. */
  private boolean hasNext(char end, boolean first) {
    skipSpace();
    if (peek() == end) {
      at++;
      depth--;
      return false;
    }
    if (!first) {
      expect(',');
    }
    return true;
  }

  private String string() {
    if (peek() != '"') {
      throw fault("a string in double quotes is missing");
    }
    at++;
    StringBuilder read = new StringBuilder();
    while (peek() != '"') {
      char c = text.charAt(at++);
      if (c < ' ') {
        throw fault("a string contains a control character");
      }
      read.append(c == '\\' ? escaped() : c);
    }
    at++;
    return read.toString();
  }

  private char escaped() {
    char c = peek();
    at++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw fault("not a valid escape sequence");
    };
  }

  private char unicode() {
    int code = 0;
    for (int i = 0; i < ESCAPE_DIGITS; i++) {
      int digit = Character.digit(peek(), HEX);
      if (digit < 0) {
        throw fault("four hexadecimal digits must follow");
      }
      code = code * HEX + digit;
      at++;
    }
    return (char) code;
  }

  private BigDecimal number() {
    int from = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String digits = text.substring(from, at);
    if (digits.length() > MAX_DIGITS
        || !digits.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,3})?")) {
      at = from;
      throw fault("not a valid value");
    }
    return new BigDecimal(digits);
  }
}
