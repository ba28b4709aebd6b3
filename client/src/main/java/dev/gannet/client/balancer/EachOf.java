package dev.gannet.client.balancer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Steps that do not depend on each other, such as the shutdowns of several children. */
final class EachOf {
  private EachOf() {}

  /**
   * Runs all of them, in this order. If some throw, the first exception is thrown at the end as it
   * is, also a checked one, and the others are suppressed.
   */
  static void run(List<Runnable> steps) {
    Throwable first = null;
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (Throwable e) { // a child may be a user's, in any language
        first = merged(first, e);
      }
    }
    if (first != null) {
      EachOf.<RuntimeException>rethrow(first);
    }
  }

  @SuppressWarnings("unchecked") // not checked, on purpose
  private static <E extends Throwable> void rethrow(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @SuppressWarnings("ReferenceEquality") // it cannot suppress itself, but its equal
  private static Throwable merged(@Nullable Throwable first, Throwable next) {
    if (first == null) {
      return next;
    }
    if (first != next) {
      first.addSuppressed(next);
    }
    return first;
  }
}
