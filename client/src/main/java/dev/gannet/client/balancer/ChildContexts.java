package dev.gannet.client.balancer;

import java.util.Objects;

/**
 * The contexts of a policy's children, if it has several: each of them learns once that a
 * connection is needed. If they shared their parent's context, the first child that asks would
 * {@linkplain LoadBalancer.Context#takeWanted take} the answer, and the others would go idle
 * although calls need them.
 *
 * <pre>{@code
 * ChildContexts contexts = ChildContexts.of(context); // of the parent
 * LoadBalancer first = provider.create(contexts.newContext());
 * LoadBalancer second = provider.create(contexts.newContext());
 * }</pre>
 *
 * <p>In everything else these contexts forward to that of the parent. A {@link ForwardingContext}
 * around one of them changes more for that child. A child that is shut down leaves nothing here.
 * Used in the parent's events, one at a time.
 */
public final class ChildContexts {
  private final LoadBalancer.Context parent;

  /** How often the parent's context has said that a connection is needed. */
  private int requests;

  private ChildContexts(LoadBalancer.Context parent) {
    this.parent = parent;
  }

  /**
   * For the children of one policy.
   *
   * @param parent the context of that policy
   */
  public static ChildContexts of(LoadBalancer.Context parent) {
    return new ChildContexts(Objects.requireNonNull(parent, "parent"));
  }

  /** A context for one child: another child needs another one. */
  public LoadBalancer.Context newContext() {
    return new ChildContext();
  }

  private final class ChildContext implements ForwardingContext {
    /** Those that the child has been told of, or that were before it. */
    private int told = requests;

    @Override
    public LoadBalancer.Context context() {
      return parent;
    }

    @Override
    public boolean takeWanted() {
      if (parent.takeWanted()) {
        requests++;
      }
      boolean wanted = told != requests;
      told = requests;
      return wanted;
    }
  }
}
