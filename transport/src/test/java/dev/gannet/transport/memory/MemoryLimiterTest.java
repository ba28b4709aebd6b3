package dev.gannet.transport.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** What the connections of a process hold together, and what they are told when it is much. */
final class MemoryLimiterTest {
  private static final long MIB = 1 << 20;
  private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long START_NANOS = -3 * SECOND_NANOS; // clocks begin anywhere

  private final MemoryLimiter budget = MemoryLimiter.ofBytes(4 * MIB);
  private final List<String> shed = new ArrayList<>();
  private final List<String> scarce = new ArrayList<>();

  private final class Connection implements MemoryLimiter.Member {
    final String name;
    final MemoryLimiter.Share share;

    Connection(String name) {
      this.name = name;
      share = budget.join(new InetSocketAddress("192.0.2.1", 1), START_NANOS, this);
    }

    void holds(long bytes) {
      share.report(bytes, bytes, START_NANOS);
    }

    @Override
    public void onShed(String why) {
      shed.add(name);
    }

    @Override
    public void onScarce() {
      scarce.add(name);
      throw new RejectedExecutionException("its loop is shut down");
    }
  }

  private Connection connection(String name) {
    return new Connection(name);
  }

  @Test
  void theConnectionThatHoldsMostIsClosedFirst() {
    connection("small").holds(MIB);
    connection("large").holds(2 * MIB);
    assertThat(shed).isEmpty();
    connection("medium").holds(3 * MIB / 2);
    assertThat(shed).containsExactly("large");
  }

  @Test
  void enoughConnectionsAreClosedWithoutWaitingForSlowOnes() {
    for (int i = 0; i < 100; i++) {
      connection("connection " + i).holds(MIB);
    }
    assertThat(shed).hasSizeBetween(96, 97).doesNotHaveDuplicates();
  }

  @Test
  void aClosingConnectionIsNotCountedAndNotClosedTwice() {
    Connection large = connection("large");
    large.holds(5 * MIB);
    large.holds(50 * MIB);
    connection("other").holds(3 * MIB);
    large.holds(MIB);
    large.share.leave();
    assertThat(shed).containsExactly("large");
    assertThat(budget.heldBytes()).isEqualTo(3 * MIB);
  }

  @Test
  void ifOneConnectionHoldsTooMuchOnlyItIsClosed() {
    connection("first").holds(MIB);
    connection("second").holds(MIB);
    connection("huge").holds(50 * MIB);
    assertThat(shed).containsExactly("huge");
  }

  @Test
  void aConnectionThatCannotCloseDoesNotPreventOthersFromClosing() {
    budget
        .join(new InetSocketAddress("192.0.2.1", 1), START_NANOS, new Gone())
        .report(5 * MIB, 5 * MIB, START_NANOS);
    connection("next").holds(5 * MIB);
    assertThat(shed).containsExactly("next");
  }

  @Test
  void aConnectionWithoutMemoryToCloseDoesNotPreventOthersFromClosing() {
    budget
        .join(new InetSocketAddress("192.0.2.1", 1), START_NANOS, new Poor())
        .report(5 * MIB, 5 * MIB, START_NANOS);
    connection("next").holds(5 * MIB);
    assertThat(shed).containsExactly("next");
  }

  @Test
  void aConnectionWithoutMemoryToCloseIsToldWhenThereIsSome() {
    Poor poor = new Poor();
    MemoryLimiter.Share share =
        budget.join(new InetSocketAddress("192.0.2.1", 1), START_NANOS, poor);
    share.report(5 * MIB, 5 * MIB, START_NANOS);
    poor.broken = false;
    share.report(6 * MIB, 6 * MIB, START_NANOS);
    assertThat(poor.sheds).isOne();
  }

  @Test
  void decompressedMessagesAreGivenBackEvenIfSomeoneCannotBeToldThatMemoryIsScarce() {
    MemoryLimiter.Share poor =
        budget.join(new InetSocketAddress("192.0.2.1", 1), START_NANOS, new Poor());
    poor.report(MIB, MIB, START_NANOS);
    InflatedArrays arrays = new InflatedArrays(budget);
    arrays.give(arrays.take((int) (2 * MIB)));
    assertThat(budget.heldBytes()).isEqualTo(MIB);
  }

  /** A connection whose loop cannot be woken, because there is no memory for the task. */
  private static final class Poor implements MemoryLimiter.Member {
    private boolean broken = true;
    private int sheds;

    @Override
    public void onShed(String why) {
      onScarce();
      sheds++;
    }

    @Override
    public void onScarce() {
      if (broken) {
        throw new OutOfMemoryError("no memory for the task");
      }
    }
  }

  /** A connection whose loop takes no more orders. */
  private record Gone() implements MemoryLimiter.Member {
    @Override
    public void onShed(String why) {
      throw new RejectedExecutionException("shut down");
    }

    @Override
    public void onScarce() {
      throw new RejectedExecutionException("shut down");
    }
  }

  @Test
  void connectionsThatHoldMemoryAreToldOnceThatItIsScarce() {
    connection("empty");
    connection("first").holds(MIB);
    Connection second = connection("second");
    second.holds(MIB);
    assertThat(scarce).isEmpty();
    second.holds(MIB + MIB / 2);
    second.holds(MIB + 3 * MIB / 4);
    assertThat(budget.isScarce()).isTrue();
    assertThat(scarce).containsExactlyInAnyOrder("first", "second");
    second.holds(MIB / 2);
    assertThat(budget.isScarce()).isFalse();
    second.holds(2 * MIB);
    assertThat(scarce).hasSize(4);
  }

  @Test
  void thereIsRoomUpToTheLimit() {
    Connection first = connection("first");
    first.share.onServed(1, START_NANOS);
    first.holds(2 * MIB);
    assertThat(first.share.tryMakeRoom(2 * MIB, 0, START_NANOS)).isTrue();
    assertThat(first.share.tryMakeRoom(2 * MIB, 1, START_NANOS)).isFalse();
    assertThat(shed).isEmpty();
  }

  @Test
  void idleConnectionsAreClosedToMakeRoom() {
    connection("idle").holds(2 * MIB);
    Connection busy = connection("busy");
    long laterNanos = START_NANOS + 20 * SECOND_NANOS;
    busy.share.onServed(1, laterNanos);
    busy.share.report(MIB, MIB, laterNanos);
    assertThat(busy.share.tryMakeRoom(2 * MIB, 0, laterNanos)).isTrue();
    assertThat(shed).containsExactly("idle");
  }

  @Test
  void belowHalfOfTheBudgetQueuesAreUnlimited() {
    budget.changeQueued(2 * MIB, 1);
    assertThat(budget.queuePartBytes()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void halfOfTheBudgetIsSharedByConnectionsWithLongQueues() {
    budget.changeQueued(3 * MIB, 1);
    assertThat(budget.queuePartBytes()).isEqualTo(2 * MIB);
    budget.changeQueued(MIB, 3);
    assertThat(budget.queuePartBytes()).isEqualTo(MIB / 2);
    budget.changeQueued(-MIB, -2);
    assertThat(budget.queuePartBytes()).isEqualTo(MIB);
  }

  @Test
  void aboveTheBudgetNothingMoreMayBeQueued() {
    budget.changeQueued(4 * MIB + 1, 2);
    assertThat(budget.queuePartBytes()).isZero();
  }

  @Test
  void manySmallQueuesLeaveAShareForALongOne() {
    budget.changeQueued(3 * MIB, 0);
    assertThat(budget.queuePartBytes()).isEqualTo(2 * MIB);
  }

  @Test
  void releasedMemoryMakesRoom() {
    Connection first = connection("first");
    first.holds(3 * MIB);
    first.holds(MIB);
    Connection second = connection("second");
    second.holds(3 * MIB);
    second.share.leave();
    second.holds(10 * MIB);
    assertThat(budget.heldBytes()).isEqualTo(MIB);
    assertThat(shed).isEmpty();
  }
}
