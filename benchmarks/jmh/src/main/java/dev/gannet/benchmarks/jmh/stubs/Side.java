package dev.gannet.benchmarks.jmh.stubs;

/** What a program starts. */
enum Side {
  /** A blocking client, up to the channel's part of its first call. */
  CLIENT,
  /** A service, up to its handlers being bound. */
  SERVER;

  private static final int METHODS = 50;

  static void checkMethods(int methods) {
    if (methods != METHODS) {
      throw new IllegalStateException("methods: " + methods);
    }
  }
}
