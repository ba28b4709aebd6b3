package dev.gannet.transport.netty;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.concurrent.atomic.AtomicInteger;

/** Memory whose n-th piece cannot be had, and which knows what was not given back. */
final class FailingMemory extends AbstractByteBufAllocator {
  private static final boolean PREFER_DIRECT = true;

  private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(PREFER_DIRECT);
  private final AtomicInteger asked = new AtomicInteger();
  private final int number;

  /** Pieces count from 1. */
  FailingMemory(int number) {
    super(PREFER_DIRECT);
    this.number = number;
  }

  boolean hasFailed() {
    return asked.get() >= number;
  }

  long bytesInUse() {
    return memory.metric().usedDirectMemory() + memory.metric().usedHeapMemory();
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    failIfItIsTime();
    return memory.heapBuffer(initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    failIfItIsTime();
    return memory.directBuffer(initialCapacity, maxCapacity);
  }

  private void failIfItIsTime() {
    if (asked.incrementAndGet() == number) {
      throw new OutOfMemoryError("piece " + number + " cannot be had");
    }
  }

  @Override
  public boolean isDirectBufferPooled() {
    return false;
  }
}
