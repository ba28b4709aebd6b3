package dev.gannet.api.transport;

import dev.gannet.api.engine.EngineParts;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The processor time that connections may use together beyond what is normal for their bytes: for
 * the part of decompressed messages that exceeds 32 times their compressed size, and for messages
 * that take long to parse. It is a rate, with a burst of four seconds. Messages beyond it wait
 * unread.
 *
 * <p>Builders that get the same object share it. By default connections share one object for the
 * whole process: 8 MiB per second and processor. Safe for all threads.
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
   * Creates a separate budget.
   *
   * @param bytes decompressed bytes per second, beyond what is free
   * @throws IllegalArgumentException if that is not positive
   */
  public static WorkBudget ofBytesPerSecond(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a work budget must be positive: " + bytes);
    }
    return new WorkBudget(bytes);
  }

  /** Decompressed bytes per second, beyond what is free. */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  @Override
  public String toString() {
    return "WorkBudget(" + bytesPerSecond + " bytes a second)";
  }
}
