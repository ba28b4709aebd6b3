package dev.gannet.serviceconfig;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON text (RFC 8259) as maps, lists, strings, {@link BigDecimal}s, booleans, and {@link
 * Nothing} for {@code null}, from the tokens of jackson-core. Limits: {@value #MAX_CHARS}
 * characters, {@value #MAX_DEPTH} levels, numbers of {@value #MAX_DIGITS} characters and exponents
 * of three digits. A name must not appear twice in an object.
 */
final class JsonReader {
  static final int MAX_CHARS = 1 << 16;
  static final int MAX_DEPTH = 32;
  private static final int MAX_DIGITS = 64;

  /** One with more digits makes a number that takes megabytes to write out. */
  private static final Pattern SMALL_EXPONENT = Pattern.compile("[^eE]*([eE][+-]?[0-9]{1,3})?");

  /** What the library's messages say to those who use it themselves. */
  private static final Pattern HINTS =
      Pattern.compile(" \\(for (Array|Object) starting at .*|: enable `.*", Pattern.DOTALL);

  /** The factory keeps no names: names that a peer has chosen would stay. */
  private static final JsonFactory TOKENS =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH + 1) // checkDepth() is first
                  .maxStringLength(MAX_CHARS)
                  .maxNameLength(MAX_CHARS)
                  .build())
          .build();

  /** The result for {@code null}. */
  enum Nothing {
    NULL
  }

  private final JsonParser tokens;

  private JsonReader(JsonParser tokens) {
    this.tokens = tokens;
  }

  /**
   * What the text says.
   *
   * @throws IllegalArgumentException if it is not JSON, or too long or deep; with the position
   */
  static Object read(String text) {
    if (text.length() > MAX_CHARS) {
      throw new IllegalArgumentException(
          "a service config has at most " + MAX_CHARS + " characters: " + text.length());
    }
    try (JsonParser tokens = TOKENS.createParser(text)) {
      JsonReader reader = new JsonReader(tokens);
      try {
        return reader.whole();
      } catch (JsonProcessingException e) {
        throw reader.fault(e);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a text is no file
    }
  }

  private Object whole() throws IOException {
    Object value = value(tokens.nextToken());
    if (tokens.nextToken() != null) {
      throw fault("there is text after the end");
    }
    return value;
  }

  private Object value(@Nullable JsonToken token) throws IOException {
    if (token == null) {
      throw fault("it ends too early");
    }
    return switch (token) {
      case START_OBJECT -> object();
      case START_ARRAY -> list();
      case VALUE_STRING -> tokens.getText();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> Nothing.NULL;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number();
      case END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw fault("not a valid value");
    };
  }

  private Map<String, Object> object() throws IOException {
    checkDepth();
    Map<String, Object> fields = new LinkedHashMap<>();
    while (tokens.nextToken() == JsonToken.FIELD_NAME) {
      String name = tokens.currentName();
      if (fields.put(name, value(tokens.nextToken())) != null) {
        throw fault("the name '" + name + "' appears twice in an object");
      }
    }
    return fields;
  }

  private List<Object> list() throws IOException {
    checkDepth();
    List<Object> values = new ArrayList<>();
    JsonToken next = tokens.nextToken();
    while (next != JsonToken.END_ARRAY) {
      values.add(value(next));
      next = tokens.nextToken();
    }
    return values;
  }

  /** The library would stop one level later, and in words of its own. */
  private void checkDepth() {
    if (tokens.getParsingContext().getNestingDepth() > MAX_DEPTH) {
      throw fault("it is deeper than " + MAX_DEPTH + " levels");
    }
  }

  private BigDecimal number() throws IOException {
    String digits = tokens.getText();
    if (digits.length() > MAX_DIGITS) {
      throw fault("a number has at most " + MAX_DIGITS + " characters: " + digits.length());
    }
    if (!SMALL_EXPONENT.matcher(digits).matches()) {
      throw fault("an exponent has at most three digits: " + digits);
    }
    return new BigDecimal(digits);
  }

  private IllegalArgumentException fault(String what) {
    return fault(tokens.currentLocation(), what, null);
  }

  private IllegalArgumentException fault(JsonProcessingException cause) {
    JsonLocation at = Optional.ofNullable(cause.getLocation()).orElse(tokens.currentLocation());
    boolean ended = cause instanceof JsonEOFException; // its words tell of Jackson's options
    return fault(at, ended ? "it ends too early" : reason(cause), cause);
  }

  private static String reason(JsonProcessingException cause) {
    return HINTS.matcher(String.valueOf(cause.getOriginalMessage())).replaceFirst("");
  }

  private IllegalArgumentException fault(JsonLocation at, String what, @Nullable Throwable cause) {
    String path = path(tokens.getParsingContext());
    return new IllegalArgumentException(
        "not JSON at character %d (line %d, column %d%s): %s"
            .formatted(
                at.getCharOffset(),
                at.getLineNr(),
                at.getColumnNr(),
                path.isEmpty() ? "" : ", at " + path,
                what),
        cause);
  }

  /** As {@link JsonField#path} has it. */
  private static String path(@Nullable JsonStreamContext context) {
    if (context == null || context.inRoot()) {
      return "";
    }
    String parent = path(context.getParent());
    if (context.inArray()) {
      return parent + "[" + context.getCurrentIndex() + "]";
    }
    String name = context.getCurrentName();
    return name == null ? parent : parent.isEmpty() ? name : parent + "." + name;
  }
}
