package dev.gannet.api.engine;

/** What an exception says, for the description of a status and for logs. */
public final class ThrowableText {
  private ThrowableText() {}

  /** The message of the exception, or the name of its class if it has none. */
  public static String of(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? thrown.getClass().getName() : message;
  }
}
