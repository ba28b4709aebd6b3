package dev.gannet.http2;

/**
 * The check that limits are within their ranges. A class of its own: limits hold each other's
 * defaults, and none of them may have to be there before another.
 */
final class Range {
  private Range() {}

  static void check(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(name + " must be " + least + " to " + most + ": " + value);
    }
  }
}
