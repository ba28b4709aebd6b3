package dev.gannet.testing;

/**
 * The place where something that is still open was opened: a stack trace, which is never thrown.
 */
final class OpenedHere extends Throwable {
  private static final long serialVersionUID = 1;

  OpenedHere(String what) {
    super(what);
  }
}
