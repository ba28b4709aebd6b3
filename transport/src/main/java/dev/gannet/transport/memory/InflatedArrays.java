package dev.gannet.transport.memory;

import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.ArraySource;

/**
 * Arrays for decompressed messages: they are reused, and count in a {@link MemoryLimiter} while
 * they are in use. Safe for all threads.
 */
public final class InflatedArrays implements ArraySource {
  /** Smaller arrays are not counted, because few are in use at a time. */
  private static final int MIN_COUNTED_BYTES = 64 << 10;

  private static final Status NO_MEMORY =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "a decompressed message does not fit into what is left of memoryBudget");

  private final MemoryLimiter budget;

  public InflatedArrays(MemoryLimiter budget) {
    this.budget = budget;
  }

  /**
   * {@inheritDoc}
   *
   * @throws StatusException {@code RESOURCE_EXHAUSTED} if it does not fit into the budget
   */
  @Override
  public byte[] take(int leastBytes) {
    if (leastBytes < MIN_COUNTED_BYTES) {
      return new byte[leastBytes];
    }
    if (!budget.takeForInflating(leastBytes)) {
      throw NO_MEMORY.asException();
    }
    int countedBytes = leastBytes;
    try {
      byte[] array = SpareArrays.SHARED.take(leastBytes);
      countedBytes = 0;
      budget.giveBackInflated(leastBytes - array.length); // which may be a little longer
      return array;
    } finally {
      budget.giveBackInflated(countedBytes);
    }
  }

  @Override
  public void give(byte[] array) {
    if (array.length >= MIN_COUNTED_BYTES) {
      budget.giveBackInflated(array.length);
      SpareArrays.SHARED.give(array);
    }
  }
}
