package dev.gannet.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Who has to leave when connections hold too much together. */
final class MemoryBudgetTest {
  private static final long MIB = 1 << 20;

  private final MemoryBudget budget = MemoryBudget.ofBytes(4 * MIB);
  private final List<String> shed = new ArrayList<>();

  private MemoryBudget.Share connection(String name) {
    return budget.join(() -> shed.add(name));
  }

  @Test
  void whoHoldsTheMostLeavesFirst() {
    connection("small").report(MIB);
    connection("large").report(2 * MIB);
    assertThat(shed).isEmpty();
    connection("medium").report(3 * MIB / 2);
    assertThat(shed).containsExactly("large");
  }

  @Test
  void nobodyWaitsForOneThatIsSlowToLeave() {
    for (int i = 0; i < 100; i++) {
      connection("connection " + i).report(MIB);
    }
    assertThat(shed).hasSize(96).doesNotHaveDuplicates();
  }

  @Test
  void oneThatHoldsTooMuchForMoreThanOneLeavesAlone() {
    connection("first").report(MIB);
    connection("second").report(MIB);
    connection("huge").report(50 * MIB);
    assertThat(shed).containsExactly("huge");
  }

  @Test
  void oneThatCannotLeaveDoesNotKeepOthersFromIt() {
    budget
        .join(() -> {
          throw new RejectedExecutionException("shut down");
        })
        .report(5 * MIB);
    connection("next").report(5 * MIB);
    assertThat(shed).containsExactly("next");
  }

  @Test
  void anybodyMayQueueAnythingBelowHalfOfTheBudget() {
    budget.changeQueued(2 * MIB, 1);
    assertThat(budget.queuePartBytes()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void halfOfTheBudgetIsSharedByThoseWhoHaveQueuedMuch() {
    budget.changeQueued(3 * MIB, 1);
    assertThat(budget.queuePartBytes()).isEqualTo(2 * MIB);
    budget.changeQueued(MIB, 3);
    assertThat(budget.queuePartBytes()).isEqualTo(MIB / 2);
    budget.changeQueued(-MIB, -2);
    assertThat(budget.queuePartBytes()).isEqualTo(MIB);
  }

  @Test
  void nobodyMayQueueMoreThanTheBudget() {
    budget.changeQueued(4 * MIB + 1, 2);
    assertThat(budget.queuePartBytes()).isZero();
  }

  @Test
  void manySmallQueuesLeaveRoomForOneThatIsNot() {
    budget.changeQueued(3 * MIB, 0);
    assertThat(budget.queuePartBytes()).isEqualTo(2 * MIB);
  }

  @Test
  void whatIsLetGoMakesRoom() {
    MemoryBudget.Share first = connection("first");
    first.report(3 * MIB);
    first.report(MIB);
    MemoryBudget.Share second = connection("second");
    second.report(3 * MIB);
    second.leave();
    second.report(10 * MIB);
    assertThat(budget.heldBytes()).isEqualTo(MIB);
    assertThat(shed).isEmpty();
  }
}
