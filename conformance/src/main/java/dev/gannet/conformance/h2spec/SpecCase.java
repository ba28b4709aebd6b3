package dev.gannet.conformance.h2spec;

/**
 * One case of h2spec and its result.
 *
 * @param section its section, such as {@code http2/6.9.1}
 * @param number its position in the section, counted from 1
 * @param title what it does, in the text of h2spec
 * @param detail what was expected and what was received instead, if it failed
 */
record SpecCase(String section, int number, String title, Outcome outcome, String detail) {
  enum Outcome {
    PASSED,
    FAILED,
    SKIPPED
  }

  /** Its name on h2spec's command line. */
  String name() {
    return section + "/" + number;
  }
}
