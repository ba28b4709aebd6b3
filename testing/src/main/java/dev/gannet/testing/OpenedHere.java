package dev.gannet.testing;

/** Where something was opened that is still open: a stack trace, and never thrown. */
final class OpenedHere extends Throwable {
  private static final long serialVersionUID = 1;

  OpenedHere(String what) {
    super(what);
  }
}
