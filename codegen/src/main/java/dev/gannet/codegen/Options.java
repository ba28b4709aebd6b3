package dev.gannet.codegen;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The options of the plug-in: the parameter of {@code --gannet_out} or {@code --gannet_opt}, with
 * options {@code name=value} separated by commas.
 *
 * <p>A list is given as {@code styles=blocking,async}: a word without a name belongs to the option
 * before it.
 *
 * @param styles which classes are generated in addition to the descriptors
 * @param runtime which of protobuf's Java libraries the messages are generated for
 */
record Options(Set<Style> styles, MessageLibrary runtime) {
  private static final String STYLES = "styles";
  private static final String RUNTIME = "runtime";

  /** One of protobuf's Java libraries. */
  enum MessageLibrary {
    /** protobuf-java. */
    FULL("dev.gannet.protobuf.ProtobufMarshaller"),
    /** protobuf-javalite, whose messages have no descriptors. */
    LITE("dev.gannet.protobuf.lite.ProtobufLiteMarshaller");

    private final String marshaller;

    MessageLibrary(String marshaller) {
      this.marshaller = marshaller;
    }

    /** The full name of the class that marshals its messages. */
    String marshaller() {
      return marshaller;
    }
  }

  /**
   * Parses a parameter; a blank one means the defaults.
   *
   * @throws InvalidRequestException if an option is unknown, given twice or has a wrong value
   */
  static Options parse(String parameter) {
    Set<Style> styles = EnumSet.noneOf(Style.class);
    MessageLibrary runtime = MessageLibrary.FULL;
    Set<String> given = new HashSet<>();
    String name = "";
    for (String word : parameter.split(",", -1)) {
      String text = word.strip();
      if (text.isEmpty() && parameter.isBlank()) {
        break;
      }
      int equals = text.indexOf('=');
      boolean listed = equals < 0 && name.equals(STYLES);
      if (!listed) {
        name = equals < 0 ? text : text.substring(0, equals).strip();
        check(name, given);
      }
      String value = equals < 0 && !listed ? "" : text.substring(equals + 1).strip();
      if (name.equals(STYLES)) {
        styles.add(choice(name, value, Style.class));
      } else {
        runtime = choice(name, value, MessageLibrary.class);
      }
    }
    return new Options(styles.isEmpty() ? Style.DEFAULT : styles, runtime);
  }

  private static void check(String name, Set<String> given) {
    if (!name.equals(STYLES) && !name.equals(RUNTIME)) {
      throw new InvalidRequestException(
          "The Gannet plug-in does not know the option \"%s\". It knows %s and %s."
              .formatted(name, STYLES, RUNTIME));
    }
    if (!given.add(name)) {
      throw new InvalidRequestException("The option \"%s\" was added twice.".formatted(name));
    }
  }

  private static <E extends Enum<E>> E choice(String option, String value, Class<E> type) {
    String all =
        Arrays.stream(type.getEnumConstants())
            .map(each -> each.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    return Arrays.stream(type.getEnumConstants())
        .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(value))
        .findFirst()
        .orElseThrow(() ->
            new InvalidRequestException(
                "The option \"%s\" cannot be \"%s\". Its values are %s."
                    .formatted(option, value, all)));
  }
}
