package dev.gannet.server;

import dev.gannet.api.ServerCall;

/**
 * Whether listeners of a class do anything when a call has been answered. Most do not, and then no
 * thread is woken to tell them.
 */
final class EndInterest extends ClassValue<Boolean> {
  private static final EndInterest INTEREST = new EndInterest();

  private EndInterest() {}

  static boolean of(ServerCall.Listener<?> listener) {
    return INTEREST.get(listener.getClass());
  }

  @Override
  protected Boolean computeValue(Class<?> type) {
    try {
      return type.getMethod("onComplete").getDeclaringClass() != ServerCall.Listener.class;
    } catch (NoSuchMethodException e) {
      throw new AssertionError("every listener has onComplete", e);
    }
  }
}
