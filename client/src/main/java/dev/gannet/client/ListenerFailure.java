package dev.gannet.client;

/** What a listener has thrown at the end of its call, for whoever ran it. It is logged already. */
final class ListenerFailure extends IllegalStateException {
  private static final long serialVersionUID = 1;

  ListenerFailure(String message, Throwable thrown) {
    super(message, thrown);
  }
}
