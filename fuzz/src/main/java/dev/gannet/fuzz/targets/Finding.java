package dev.gannet.fuzz.targets;

import java.util.Objects;

/** A rule that an input broke; thrown out of the target, so that the fuzzer keeps the input. */
public final class Finding extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final int MAX_VALUE = 2_000;

  Finding(String rule) {
    super(rule);
  }

  Finding(String rule, Throwable cause) {
    super(rule, cause);
  }

  /** Throws the finding if the rule does not hold. */
  static void unless(boolean holds, String rule) {
    if (!holds) {
      throw new Finding(rule);
    }
  }

  /** Throws the finding if the values differ. */
  static void unlessEqual(Object expected, Object actual, String rule) {
    if (!Objects.equals(expected, actual)) {
      throw new Finding(rule + "\n  one:   " + cut(expected) + "\n  other: " + cut(actual));
    }
  }

  private static String cut(Object value) {
    String text = String.valueOf(value);
    return text.length() <= MAX_VALUE ? text : text.substring(0, MAX_VALUE) + " ...";
  }
}
