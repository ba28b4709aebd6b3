package dev.gannet.conformance.interop;

/** The result of a case is not the expected one. */
final class Mismatch extends RuntimeException {
  private static final long serialVersionUID = 1;

  Mismatch(String what, Object expected, Object actual) {
    super(what + ": expected " + expected + ", got " + actual);
  }
}
