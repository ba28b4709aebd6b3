package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.transport.memory.MemoryLimiter;
import org.junit.jupiter.api.Test;

/** When a connection notices that memory is short, and whom that concerns. */
final class MemoryPressureTest {
  private static final int MIB = 1 << 20;

  private final PlayedConnection connection = new PlayedConnection(MemoryLimiter.ofBytes(64 * MIB));
  private final MemoryPressure pressure = connection.pressure;

  private void othersHold(int bytes) {
    connection
        .budget
        .join(connection.pipe.info().remoteAddress(), 0, new PlayedConnection.Unmoved())
        .report(bytes, 0, 0);
  }

  @Test
  void itIsNoticedAtTheEndOfABatch() {
    assertThat(pressure.isScarce()).isFalse();
    othersHold(40 * MIB);
    assertThat(pressure.isScarce()).isFalse();
    pressure.settle();
    assertThat(pressure.isScarce()).isTrue();
  }

  @Test
  void itDoesNotConcernConnectionsThatHoldNothing() {
    othersHold(40 * MIB);
    pressure.settle();
    assertThat(pressure.isScarceFor(0)).isFalse();
    assertThat(pressure.isScarceFor(1)).isTrue();
  }

  @Test
  void itConcernsConnectionsWithUnfinishedRequests() {
    othersHold(40 * MIB);
    pressure.settle();
    connection.calls.onCall(1000);
    assertThat(pressure.isScarceFor(0)).isTrue();
    connection.calls.changeWhole(1000);
    assertThat(pressure.isScarceFor(0)).isFalse();
  }

  @Test
  void withEnoughMemoryItConcernsNobody() {
    connection.calls.onCall(1000);
    pressure.settle();
    assertThat(pressure.isScarceFor(MIB)).isFalse();
  }
}
