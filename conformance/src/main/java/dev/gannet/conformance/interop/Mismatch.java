package dev.gannet.conformance.interop;

/** Something else came than what a case demands. */
final class Mismatch extends RuntimeException {
  private static final long serialVersionUID = 1;

  Mismatch(String what, Object expected, Object actual) {
    super(what + ": expected " + expected + ", got " + actual);
  }
}
