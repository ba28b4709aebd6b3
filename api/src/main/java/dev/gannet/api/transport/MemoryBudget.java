package dev.gannet.api.transport;

import dev.gannet.api.engine.EngineParts;
import dev.gannet.api.engine.MemoryPart;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The memory that connections may use together: messages that were not taken yet, incomplete
 * messages, large messages in handlers, queued output, and the calls and connections themselves,
 * with the threads of handlers that wait for a stream. Beyond half of the budget windows shrink;
 * beyond all of it large requests are refused, and connections lose their calls or are closed, the
 * most wasteful first.
 *
 * <p>Builders that get the same object share it. By default that is one object for the whole
 * process: a quarter of the maximum heap. Safe for all threads.
 */
public final class MemoryBudget {
  private static final MemoryBudget PROCESS =
      new MemoryBudget(Runtime.getRuntime().maxMemory() / 4);

  static {
    EngineParts.open(MemoryBudget.class, budget -> budget.part);
  }

  private final long limitBytes;
  private final AtomicReference<@Nullable Object> part = new AtomicReference<>();

  private MemoryBudget(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** The default budget: a quarter of the maximum heap. */
  public static MemoryBudget ofProcess() {
    return PROCESS;
  }

  /**
   * Creates a separate budget.
   *
   * @param bytes the memory that connections may use together before one is closed
   * @throws IllegalArgumentException if that is not positive
   */
  public static MemoryBudget ofBytes(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a memory budget must be positive: " + bytes);
    }
    return new MemoryBudget(bytes);
  }

  /** The memory that connections may use together before one is closed, in bytes. */
  public long limitBytes() {
    return limitBytes;
  }

  /**
   * The memory that connections use now, in bytes, as far as they have reported it; they report in
   * steps.
   */
  public long heldBytes() {
    return part.get() instanceof MemoryPart held ? held.heldBytes() : 0;
  }

  @Override
  public String toString() {
    return "MemoryBudget(" + limitBytes + " bytes)";
  }
}
