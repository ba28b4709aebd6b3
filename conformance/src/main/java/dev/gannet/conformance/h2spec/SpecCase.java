package dev.gannet.conformance.h2spec;

/**
 * One case of h2spec and how it went.
 *
 * @param section where it stands, such as {@code http2/6.9.1}
 * @param number its place in the section, counted from 1
 * @param title what it does, in h2spec's words
 * @param detail what was expected and what came instead, where it failed
 */
record SpecCase(String section, int number, String title, Outcome outcome, String detail) {
  enum Outcome {
    PASSED,
    FAILED,
    SKIPPED
  }

  /** As h2spec's command line names it. */
  String name() {
    return section + "/" + number;
  }
}
