package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who pays for the work of messages, and when. */
final class WorkShareTest {
  private static final int FIRST_CREDIT = 64 << 10;
  private static final int MIB = 1 << 20;
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final PlayedConnection connection = new PlayedConnection();
  private final WorkShare work = connection.work;

  /** A call with messages of these costs. */
  private static final class Call implements WorkShare.Debtor {
    final ArrayDeque<Integer> unpaid;

    Call(Integer... costs) {
      unpaid = new ArrayDeque<>(List.of(costs));
    }

    @Override
    public int firstUnpaidBytes() {
      return unpaid.element();
    }

    @Override
    public boolean payFirst() {
      unpaid.remove();
      return !unpaid.isEmpty();
    }
  }

  private void useUpTheBudget() {
    for (int bytes = MIB; bytes > 0; bytes /= 2) {
      while (connection.workBudget.tryTake(bytes, connection.pipe.nowNanos)) {}
    }
  }

  @Test
  void theFirstCreditPaysWithoutTheBudget() {
    useUpTheBudget();
    assertThat(work.pay(FIRST_CREDIT)).isTrue();
    assertThat(work.pay(1)).isFalse();
  }

  @Test
  void whatCameAddsCreditForLaterMessages() {
    useUpTheBudget();
    assertThat(work.pay(FIRST_CREDIT)).isTrue();
    assertThat(work.pay(-1000)).isTrue();
    assertThat(work.pay(1000)).isTrue();
    assertThat(work.pay(1)).isFalse();
  }

  @Test
  void theBudgetPaysWhatTheCreditDoesNot() {
    assertThat(work.pay(FIRST_CREDIT + MIB)).isTrue();
    assertThat(work.owesNothing()).isTrue();
  }

  @Test
  void aCallWaitsUntilTheBudgetHasCome() {
    useUpTheBudget();
    Call call = new Call(FIRST_CREDIT + MIB);
    work.await(call);
    assertThat(call.unpaid).hasSize(1);
    for (int slices = 0; slices < 4; slices++) {
      assertThat(call.unpaid).hasSize(1);
      connection.passes(SECOND / 4 + 1_000_000);
    }
    assertThat(call.unpaid).isEmpty();
    assertThat(connection.deadlines.earliestNanos()).isEqualTo(DeadlineHeap.NEVER);
  }

  @Test
  void callsTakeTurns() {
    useUpTheBudget();
    Call first = new Call(FIRST_CREDIT + MIB / 4, MIB);
    Call second = new Call(MIB / 4);
    work.await(first);
    work.await(second);
    connection.passes(SECOND / 4 + 1_000_000);
    assertThat(first.unpaid).hasSize(1);
    connection.passes(SECOND / 4 + 1_000_000);
    assertThat(second.unpaid).isEmpty();
    assertThat(first.unpaid).hasSize(1);
  }

  @Test
  void whoeverIsForgottenNeedsNoTimer() {
    useUpTheBudget();
    Call call = new Call(FIRST_CREDIT + MIB);
    work.await(call);
    assertThat(connection.deadlines.earliestNanos()).isNotEqualTo(DeadlineHeap.NEVER);
    work.forget(call);
    assertThat(connection.deadlines.earliestNanos()).isEqualTo(DeadlineHeap.NEVER);
  }

  @Test
  void aSlowMessageIsOwed() {
    work.onSlow(SECOND);
    assertThat(work.owesNothing()).isTrue(); // its reader has only posted it
    connection.pipe.runTasks();
    assertThat(work.owesNothing()).isFalse();
  }

  @Test
  void aSlowMessageAfterTheEndOfTheLoopIsForgiven() {
    connection.pipe.ended = true;
    work.onSlow(SECOND);
    assertThat(work.owesNothing()).isTrue();
  }

  @Test
  void theEndOfTheConnectionReleasesAllMessages() {
    useUpTheBudget();
    Call call = new Call(FIRST_CREDIT + MIB, MIB);
    work.await(call);
    work.leave();
    assertThat(call.unpaid).isEmpty();
    assertThat(connection.deadlines.earliestNanos()).isEqualTo(DeadlineHeap.NEVER);
  }
}
