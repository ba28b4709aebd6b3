package dev.gannet.client;

/**
 * The exception of a listener at the end of its call, for the code that ran it. It was already
 * logged.
 */
final class ListenerFailure extends IllegalStateException {
  private static final long serialVersionUID = 1;

  ListenerFailure(String message, Throwable thrown) {
    super(message, thrown);
  }
}
