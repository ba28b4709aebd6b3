package dev.gannet.serviceconfig;

import dev.gannet.api.Status;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value of a JSON text with its path, for example {@code methodConfig[0].timeout}, which every
 * error message about it contains.
 */
record JsonField(String path, Object value) {
  /**
   * A duration in the JSON format of Protocol Buffers. It may begin with the decimal point, as the
   * examples of gRFC A6 do.
   */
  private static final Pattern DURATION =
      Pattern.compile("(-?)(?=\\.?[0-9])([0-9]{0,12})(\\.[0-9]{1,9})?s");

  /** What all error messages begin with. */
  private static final String PREFIX = "service config: ";

  private static final long MAX_SECONDS = 315_576_000_000L;
  private static final int NANO_DIGITS = 9;

  IllegalArgumentException fault(String what) {
    return fault(path.isEmpty() ? "the config" : path, what);
  }

  IllegalArgumentException fault(String what, Throwable cause) {
    IllegalArgumentException fault = fault(what);
    fault.initCause(cause);
    return fault;
  }

  /** An exception about the value with that path. */
  static IllegalArgumentException fault(String path, String what) {
    return new IllegalArgumentException(PREFIX + path + " " + what);
  }

  /** Converts the value; the message of an exception gets the path. */
  <T> T checked(Function<JsonField, T> maker) {
    try {
      return maker.apply(this);
    } catch (IllegalArgumentException e) {
      String words = String.valueOf(e.getMessage());
      throw words.startsWith(PREFIX) ? e : fault("is invalid: " + words);
    }
  }

  /** The field with this name of this object; {@code null} counts as missing. */
  Optional<JsonField> field(String name) {
    Object found = object().get(name);
    return found == null || found == JsonReader.Nothing.NULL
        ? Optional.empty()
        : Optional.of(new JsonField(pathOf(name), found));
  }

  /** The path of the field with this name, whether there is one or not. */
  String pathOf(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  JsonField required(String name) {
    return field(name).orElseThrow(() -> fault("has no " + name));
  }

  @SuppressWarnings("unchecked") // the names in the reader's objects are strings
  Map<String, Object> object() {
    if (value instanceof Map) {
      return (Map<String, Object>) value;
    }
    throw fault("must be an object");
  }

  List<JsonField> list() {
    if (!(value instanceof List<?> values)) {
      throw fault("must be a list");
    }
    List<JsonField> fields = new ArrayList<>();
    for (Object each : values) {
      fields.add(new JsonField(path + "[" + fields.size() + "]", each));
    }
    return fields;
  }

  String text() {
    if (value instanceof String text) {
      return text;
    }
    throw fault("must be a string");
  }

  boolean bool() {
    if (value instanceof Boolean bool) {
      return bool;
    }
    throw fault("must be true or false");
  }

  double decimal() {
    return number().doubleValue();
  }

  /** A whole number, possibly in quotes; values that are too large become the maximum. */
  int integer() {
    BigDecimal number = number();
    try {
      return number.signum() > 0 && number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0
          ? wholeButLarge(number)
          : number.intValueExact();
    } catch (ArithmeticException e) {
      throw fault("must be a whole number: " + value);
    }
  }

  private static int wholeButLarge(BigDecimal number) {
    BigDecimal ignored = number.setScale(0, RoundingMode.UNNECESSARY);
    return ignored.signum() > 0 ? Integer.MAX_VALUE : 0;
  }

  private BigDecimal number() {
    if (value instanceof BigDecimal number) {
      return number;
    }
    if (value instanceof String text && text.matches("-?[0-9]{1,20}(\\.[0-9]{1,20})?")) {
      return new BigDecimal(text);
    }
    throw fault("must be a number");
  }

  /** A text such as {@code 1.5s}. */
  Duration duration() {
    Matcher parts = DURATION.matcher(text());
    long seconds = parts.matches() ? Long.parseLong("0" + parts.group(2)) : Long.MAX_VALUE;
    if (seconds > MAX_SECONDS) {
      throw fault("must be seconds with up to nine decimals and an 's', as \"1.5s\": " + value);
    }
    String decimals = parts.group(3) == null ? "" : parts.group(3).substring(1);
    String nanos = decimals + "0".repeat(NANO_DIGITS - decimals.length());
    Duration size = Duration.ofSeconds(seconds, Long.parseLong(nanos));
    return parts.group(1).isEmpty() ? size : size.negated();
  }

  /** A status by its number, or by its name in any case. */
  Status.Code code() {
    for (Status.Code code : Status.Code.values()) {
      boolean same =
          value instanceof String name
              ? code.name().equals(name.toUpperCase(Locale.ROOT))
              : value instanceof BigDecimal number
                  && number.compareTo(BigDecimal.valueOf(code.value())) == 0;
      if (same) {
        return code;
      }
    }
    throw fault("is not a status code: " + value);
  }
}
