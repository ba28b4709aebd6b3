package dev.gannet.api.engine;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Creates a {@code Deadline}, which this package cannot name, because its package uses this one.
 */
public interface DeadlineAccess {
  /**
   * The deadline that a timeout would have made earlier: what remains of it is shorter, or
   * negative, but {@code timeout()} is all of it.
   *
   * @param sinceNanos how long ago the timeout began
   * @return a {@code Deadline}
   */
  Object begunEarlier(Duration timeout, long sinceNanos, LongSupplier ticker);
}
