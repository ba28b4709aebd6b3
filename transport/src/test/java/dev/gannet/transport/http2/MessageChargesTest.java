package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.transport.CallEvent;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a call's long messages cost: when their reader may take them, and which memory counts. */
final class MessageChargesTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final PlayedConnection connection = new PlayedConnection();
  private final Call call = new Call();
  private final MessageCharges charges = new MessageCharges(call, connection.receiving());

  /** A call that counts how often it is woken. */
  private static final class Call implements ReceivingCall {
    int touches;

    @Override
    public void add(CallEvent event) {
      throw new AssertionError("messages are not passed on here");
    }

    @Override
    public void touch() {
      touches++;
    }

    @Override
    public boolean isMessageRequested() {
      return true;
    }

    @Override
    public int maxInboundMessageBytes() {
      return 1 << 20;
    }

    @Override
    public MessageSizeLimit inboundLimit() {
      return MessageSizeLimit.OF_RECEIVED_RESPONSES;
    }

    @Override
    public void giveUp(Status why) {
      throw new AssertionError(why);
    }
  }

  private CallEvent.Message charge() {
    return charges.charge(ByteBuffer.allocate(100), MessageEncoding.IDENTITY, 105);
  }

  /** An earlier message took too long to be parsed. */
  private void oweWork() {
    for (int bytes = 1 << 20; bytes > 0; bytes /= 2) {
      while (connection.workBudget.tryTake(bytes, connection.pipe.nowNanos)) {}
    }
    connection.work.onSlow(SECOND / 100);
    connection.pipe.runTasks();
  }

  private void waitForTheBudget() {
    while (connection.deadlines.earliestNanos() != DeadlineHeap.NEVER) {
      connection.passes(SECOND);
    }
  }

  @Test
  void aMessageIsPaidForAtOnceIfNothingIsOwed() {
    assertThat(charge().unpaidBytes()).isZero();
    assertThat(charges.isLarge()).isFalse();
  }

  @Test
  void messagesBehindASlowOneWaitForTheBudget() {
    oweWork();
    CallEvent.Message first = charge();
    CallEvent.Message second = charge();
    assertThat(first.unpaidBytes()).isPositive();
    assertThat(charges.firstUnpaidBytes()).isPositive();
    waitForTheBudget();
    assertThat(first.unpaidBytes()).isZero();
    assertThat(second.unpaidBytes()).isZero();
    assertThat(call.touches).isEqualTo(2);
  }

  @Test
  void messagesThatNobodyReadsAreNotCharged() {
    oweWork();
    charge();
    charges.end(Unread.HELD_BY_HANDLER);
    assertThat(connection.deadlines.earliestNanos()).isEqualTo(DeadlineHeap.NEVER);
    assertThat(call.touches).isZero();
  }

  @Test
  void memoryIsCountedOnceAndGivenBack() {
    charges.setHandlerBytes(100);
    charges.setHandlerBytes(100);
    assertThat(connection.calls.bytes()).isEqualTo(100);
    charges.setHandlerBytes(0);
    assertThat(connection.calls.bytes()).isZero();
    charges.setReservedBytes(70);
    assertThat(charges.reservedBytes()).isEqualTo(70);
    charges.setReservedBytes(0);
    assertThat(charges.reservedBytes()).isZero();
  }
}
