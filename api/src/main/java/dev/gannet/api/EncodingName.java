package dev.gannet.api;

import java.util.Set;
import java.util.regex.Pattern;

/** The name of a message encoding. */
final class EncodingName {
  private static final Pattern GRAMMAR = Pattern.compile("[0-9a-z_.-]+");
  private static final Set<String> BUILT_IN = Set.of("identity", "gzip");

  private EncodingName() {}

  /** Checks that an added encoding can have this name, and returns it. */
  static String checked(String name) {
    if (!GRAMMAR.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name of a message encoding may only contain lower-case letters, digits, '_', '.' and"
              + " '-': '"
              + name
              + "'");
    }
    if (BUILT_IN.contains(name)) {
      throw new IllegalArgumentException("the message encoding '" + name + "' is built in");
    }
    return name;
  }
}
