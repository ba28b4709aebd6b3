package dev.gannet.http2;

/**
 * Checks that limits are within their ranges. This is a separate class because the classes of
 * limits hold each other's defaults, and none of them may depend on the initialization of another.
 */
final class Range {
  private Range() {}

  static void check(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(name + " must be " + least + " to " + most + ": " + value);
    }
  }
}
