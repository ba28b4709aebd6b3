package dev.gannet.api.transport;

import dev.gannet.api.engine.EngineParts;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How much memory connections may hold together: messages that nobody has taken, parts of messages,
 * what handlers of large messages hold, and what waits to be sent. Beyond half of the budget
 * windows shrink; beyond all of it large requests are refused and connections are closed, the most
 * wasteful first.
 *
 * <p>All builders that are given the same object share it. By default that is one object for the
 * whole process: a quarter of the largest heap. Safe for all threads.
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

  /** The budget of all that name no other: a quarter of the largest heap. */
  public static MemoryBudget ofProcess() {
    return PROCESS;
  }

  /**
   * A budget of its own.
   *
   * @param bytes what connections may hold together before one is closed
   * @throws IllegalArgumentException if that is not positive
   */
  public static MemoryBudget ofBytes(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a memory budget must be positive: " + bytes);
    }
    return new MemoryBudget(bytes);
  }

  /** What connections may hold together before one is closed, in bytes. */
  public long limitBytes() {
    return limitBytes;
  }

  /** What connections hold now, in bytes, as far as they have reported; they do so in steps. */
  public long heldBytes() {
    return part.get() instanceof LongSupplier held ? held.getAsLong() : 0;
  }

  @Override
  public String toString() {
    return "MemoryBudget(" + limitBytes + " bytes)";
  }
}
