package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.transport.memory.MemoryLimiter;
import org.junit.jupiter.api.Test;

/** What a call has queued, and what that leaves for the others of its connection. */
final class CallQueueTest {
  private static final int MIB = 1 << 20;

  private final MemoryLimiter budget = MemoryLimiter.ofBytes(4 * MIB);
  private final SendQuota quota = new SendQuota(budget);

  @Test
  void bytesAddedAfterTheEndAreNotCounted() {
    CallQueue queue = new CallQueue(quota);
    queue.add(1000);
    queue.close();
    for (int i = 0; i < 10; i++) {
      queue.add(1 << 29);
    }
    assertThat(quota.isAvailable()).isTrue();
  }

  @Test
  void queuedBytesCountUntilTheyAreSentOrDropped() {
    CallQueue leaving = new CallQueue(quota);
    CallQueue ending = new CallQueue(new SendQuota(budget));
    leaving.add(2 * MIB);
    ending.add(2 * MIB);
    assertThat(budget.queuePartBytes()).isEqualTo(MIB);
    leaving.remove(MIB);
    assertThat(budget.queuePartBytes()).isEqualTo(MIB);
    leaving.remove(MIB);
    assertThat(budget.queuePartBytes()).isEqualTo(Long.MAX_VALUE);
    leaving.add(MIB);
    assertThat(budget.queuePartBytes()).isEqualTo(MIB);
    ending.close();
    assertThat(budget.queuePartBytes()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void whatIsLeftOfTheLastMessageIsGivenBackAtTheEnd() {
    CallQueue queue = new CallQueue(quota);
    queue.add(2 * MIB);
    queue.removeOfLast(2 * MIB - SendQuota.FREE_BYTES);
    assertThat(budget.queuePartBytes()).isEqualTo(Long.MAX_VALUE);
    queue.removeOfLast(SendQuota.FREE_BYTES);
    queue.close();
    CallQueue next = new CallQueue(quota);
    next.add(SendQuota.CONNECTION_BYTES + SendQuota.FREE_BYTES - 1);
    assertThat(quota.isAvailable()).isTrue();
    next.add(1);
    assertThat(quota.isAvailable()).isFalse();
  }
}
