package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.transport.memory.MemoryLimiter;
import org.junit.jupiter.api.Test;

/** What a connection counts for. */
final class ConnectionMemoryTest {
  private static final int MIB = 1 << 20;
  private static final int KIB = 1 << 10;

  private final PlayedConnection connection = new PlayedConnection(MemoryLimiter.ofBytes(64 * MIB));

  @Test
  void aConnectionThatHoldsSomethingCountsWithItsObjects() {
    connection.calls.onCall(MIB);
    connection.memory.report(0, 0);
    assertThat(connection.budget.heldBytes()).isGreaterThan(MIB + 8 * KIB);
  }

  @Test
  void aConnectionThatHoldsNothingAnyMoreCountsNothing() {
    connection.calls.onCall(MIB);
    connection.memory.report(0, 0);
    connection.calls.onCallGone(MIB);
    connection.memory.report(0, 0);
    assertThat(connection.budget.heldBytes()).isZero();
  }
}
