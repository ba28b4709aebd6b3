package dev.gannet.api.engine;

/** What an exception says, for the description of a status and for logs. */
public final class ThrowableText {
  private ThrowableText() {}

  /**
   * The message of the exception, or the name of its class if it has no message, or if reading the
   * message fails.
   */
  public static String of(Throwable thrown) {
    String message;
    try {
      message = thrown.getMessage();
    } catch (Throwable e) { // it may be anybody's class
      message = null;
    }
    return message == null ? thrown.getClass().getName() : message;
  }
}
