package dev.gannet.api;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The name of a message encoding. */
final class EncodingName {
  /** Built in, and can be replaced or removed. */
  static final String GZIP = "gzip";

  private static final Pattern GRAMMAR = Pattern.compile("[0-9a-z_.-]+");

  /** No compression, which every peer reads. */
  private static final String IDENTITY = "identity";

  private EncodingName() {}

  /** Checks that an encoding of an application can have this name, and returns it. */
  static String checked(String name) {
    if (!GRAMMAR.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name of a message encoding may only contain lower-case letters, digits, '_', '.' and"
              + " '-': '"
              + name
              + "'");
    }
    checkNotIdentity(name);
    return name;
  }

  /** Checks that an encoding can be removed from a registry that has these. */
  static void checkRemovable(String name, Set<String> present) {
    checkNotIdentity(name);
    if (!present.contains(name)) {
      throw new IllegalArgumentException(
          "the registry has no message encoding '" + name + "'; it has " + new TreeSet<>(present));
    }
  }

  private static void checkNotIdentity(String name) {
    if (name.equals(IDENTITY)) {
      throw new IllegalArgumentException(
          "the message encoding 'identity' (no compression) cannot be replaced or removed");
    }
  }
}
