package dev.gannet.server.call;

import dev.gannet.api.ForwardingServerCallListener;
import dev.gannet.api.ServerCall;

/**
 * Whether a listener does anything when its call has been answered. Most listeners do not, and then
 * no thread is woken for it. A forwarding listener that does not override the event has the
 * interest of its delegate.
 */
final class EndInterest extends ClassValue<EndInterest.Answer> {
  /** The interest of a listener's class. */
  enum Answer {
    /** The class does not override the event. */
    NO,
    /** The class overrides the event. */
    YES,
    /** The class forwards the event unchanged. */
    PASSES_ON
  }

  private static final EndInterest INTEREST = new EndInterest();

  private EndInterest() {}

  static boolean of(ServerCall.Listener<?> listener) {
    ServerCall.Listener<?> asked = listener;
    while (true) {
      switch (INTEREST.get(asked.getClass())) {
        case NO -> {
          return false;
        }
        case YES -> {
          return true;
        }
        case PASSES_ON -> asked = ((ForwardingServerCallListener<?>) asked).delegate();
      }
    }
  }

  @Override
  protected Answer computeValue(Class<?> type) {
    try {
      Class<?> declaring = type.getMethod("onComplete").getDeclaringClass();
      if (declaring == ForwardingServerCallListener.class) {
        return Answer.PASSES_ON;
      }
      return declaring == ServerCall.Listener.class ? Answer.NO : Answer.YES;
    } catch (NoSuchMethodException e) {
      throw new AssertionError("every listener has onComplete", e);
    }
  }
}
