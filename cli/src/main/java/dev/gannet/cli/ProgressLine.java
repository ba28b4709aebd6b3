package dev.gannet.cli;

/**
 * One line on the terminal that says what is being done, and goes away; nothing where there is no
 * terminal.
 */
final class ProgressLine {
  private static final String ERASED = "\r\033[K";

  private final boolean shown;

  private ProgressLine(boolean shown) {
    this.shown = shown;
  }

  /** On the terminal that the launcher was started from, if it was. */
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
