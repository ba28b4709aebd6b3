package dev.gannet.client.balancer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Steps that do not depend on each other, such as the shutdowns of several children. */
final class EachOf {
  private EachOf() {}

  /**
   * Runs all of them, in this order. If some throw, the first exception is thrown at the end, and
   * the others are suppressed.
   */
  static void run(List<Runnable> steps) {
    Throwable first = null;
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (RuntimeException | Error e) {
        first = merged(first, e);
      }
    }
    if (first instanceof Error e) {
      throw e;
    }
    if (first instanceof RuntimeException e) {
      throw e;
    }
  }

  private static Throwable merged(@Nullable Throwable first, Throwable next) {
    if (first == null) {
      return next;
    }
    if (!first.equals(next)) { // an exception cannot suppress itself
      first.addSuppressed(next);
    }
    return first;
  }
}
