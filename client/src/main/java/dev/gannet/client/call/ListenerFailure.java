package dev.gannet.client.call;

/**
 * Wraps what a listener threw at the end of its call, for the code that ran the listener. It was
 * already logged.
 */
public final class ListenerFailure extends IllegalStateException {
  private static final long serialVersionUID = 1;

  ListenerFailure(String message, Throwable thrown) {
    super(message, thrown);
  }
}
