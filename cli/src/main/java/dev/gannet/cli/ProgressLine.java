package dev.gannet.cli;

/**
 * One line on the terminal that says what is being done, and is removed at the end; nothing if
 * there is no terminal.
 */
final class ProgressLine {
  private static final String ERASED = "\r\033[K";

  private final boolean shown;

  private ProgressLine(boolean shown) {
    this.shown = shown;
  }

  /** On the terminal from which the launcher was started, if there is one. */
  static ProgressLine onTerminal() {
    return new ProgressLine(System.getenv("GANNET_TERMINAL") != null);
  }

  void show(String what) {
    print(ERASED + what + " ...");
  }

  void clear() {
    print(ERASED);
  }

  private void print(String text) {
    if (shown) {
      System.err.print(text);
      System.err.flush();
    }
  }
}
