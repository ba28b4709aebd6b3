package dev.gannet.api.transport;

import dev.gannet.api.engine.EngineParts;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How much work connections may ask for together beyond what the bytes that they send pay for:
 * bytes that compressed messages become beyond 32 times what came, and messages that take long to
 * be parsed. It is a rate; four seconds of it may be used at once. Messages beyond it wait unread.
 *
 * <p>All builders that are given the same object share it. By default connections share one object
 * for the whole process: 8 MiB a second for each processor. Safe for all threads.
 */
public final class WorkBudget {
  static {
    EngineParts.open(WorkBudget.class, budget -> budget.part);
  }

  private final long bytesPerSecond;
  private final AtomicReference<@Nullable Object> part = new AtomicReference<>();

  private WorkBudget(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * A budget of its own.
   *
   * @param bytes what messages may become in a second, beyond what is free
   * @throws IllegalArgumentException if that is not positive
   */
  public static WorkBudget ofBytesPerSecond(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a work budget must be positive: " + bytes);
    }
    return new WorkBudget(bytes);
  }

  /** What messages may become in a second, beyond what is free. */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  @Override
  public String toString() {
    return "WorkBudget(" + bytesPerSecond + " bytes a second)";
  }
}
