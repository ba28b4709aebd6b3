package dev.gannet.transport.http2;

import java.util.List;

/** Steps that must all be taken, for nobody else would take those behind one that fails. */
final class Steps {
  private Steps() {}

  /**
   * Takes each of them, in order.
   *
   * @throws RuntimeException with what the first threw that failed
   */
  static void takeAll(List<Runnable> steps) {
    RuntimeException failure = null;
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (Throwable e) {
        failure =
            failure == null ? new IllegalStateException("the end of a connection", e) : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
