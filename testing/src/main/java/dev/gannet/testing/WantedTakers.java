package dev.gannet.testing;

import dev.gannet.client.balancer.ChildContexts;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.Subchannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The children of a policy that have {@linkplain LoadBalancer.Context#takeWanted taken} an answer
 * from the policy's own context. There may be one at a time: of several, the first would get the
 * answer that all of them need. A child is recognized if it listens to its subchannels itself, as
 * those of Gannet do. For one thread.
 */
final class WantedTakers {
  private static final StackWalker STACK =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private final List<LoadBalancer> children = new ArrayList<>();
  private Subchannel.@Nullable Listener notified;

  /** Runs the event in which this listener learns a state. */
  void whileNotified(Subchannel.Listener listener, Runnable event) {
    notified = listener;
    try {
      event.run();
    } finally {
      notified = null;
    }
  }

  /**
   * Somebody takes an answer.
   *
   * @param policy may take what it likes
   * @param isInUse whether a child has subchannels that were not shut down
   * @throws AssertionError if it is a second child that is in use
   */
  void onTaken(LoadBalancer policy, Predicate<LoadBalancer> isInUse) {
    if (!(notified instanceof LoadBalancer child) || child.equals(policy) || isByOwnContext()) {
      return;
    }
    children.removeIf(it -> it.equals(child) || !isInUse.test(it));
    if (!children.isEmpty()) {
      throw new AssertionError(
          "several children of the policy take from one context: the first one that asks whether a"
              + " connection is needed gets the answer, and the others go idle although calls need"
              + " them; give each child a context of ChildContexts");
    }
    children.add(child);
  }

  /** Whether a context of {@link ChildContexts} asks, which tells each child. */
  private static boolean isByOwnContext() {
    return STACK.walk(frames ->
        frames.anyMatch(it -> it.getDeclaringClass().getNestHost().equals(ChildContexts.class)));
  }
}
