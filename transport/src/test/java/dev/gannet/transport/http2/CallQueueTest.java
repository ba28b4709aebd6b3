package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.transport.MemoryBudget;
import org.junit.jupiter.api.Test;

/** What a call has queued, and what that leaves for the others of its connection. */
final class CallQueueTest {
  private final SendRoom room = new SendRoom(MemoryBudget.ofBytes(64 << 20));

  @Test
  void whatIsAddedBehindItsEndTakesNoRoomHoweverMuchItIs() {
    CallQueue queue = new CallQueue(room);
    queue.add(1000);
    queue.close();
    for (int i = 0; i < 10; i++) {
      queue.add(1 << 29);
    }
    assertThat(room.hasRoom()).isTrue();
  }
}
