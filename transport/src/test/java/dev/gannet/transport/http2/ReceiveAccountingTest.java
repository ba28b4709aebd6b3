package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.transport.pipe.LoopPauses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which call may receive while much is held, and which must end. */
final class ReceiveAccountingTest {
  private static final int MIB = 1 << 20;
  private static final long CHECK = Duration.ofSeconds(20).toNanos();
  private static final long SCARCE_CHECK = Duration.ofSeconds(5).toNanos();

  private final PlayedConnection connection = new PlayedConnection();
  private final ReceiveAccounting held = connection.held;

  /** A call whose reader waits for the rest of a message, of which that much has arrived. */
  private static final class Part implements HeldMessages {
    final List<Status> ends = new ArrayList<>();
    int bytes;
    int resumed;
    int counted;
    Progress progress = Progress.GOES_ON;

    Part(int bytes) {
      this.bytes = bytes;
    }

    @Override
    public int heldBytes() {
      return bytes;
    }

    @Override
    public int partBytes() {
      return bytes;
    }

    @Override
    public boolean waitsForItsRestAlone() {
      return bytes > 0;
    }

    @Override
    public void countAnew() {
      counted++;
    }

    @Override
    public void giveWindowBack() {}

    @Override
    public void resume() {
      resumed++;
    }

    @Override
    public Progress checkProgress(boolean windowOpen, Memory memory) {
      return progress;
    }

    @Override
    public void countNoMore() {}

    @Override
    public void giveUp(Status why) {
      ends.add(why);
    }
  }

  private Part partOf(int bytes) {
    Part part = new Part(bytes);
    connection.holders.add(part);
    held.change(part, bytes, 0);
    return part;
  }

  @Test
  void everythingHeldIsSummedUp() {
    Part part = partOf(1000);
    held.change(part, 500, 128);
    assertThat(held.bytes()).isEqualTo(1500);
    assertThat(held.spareBytes()).isEqualTo(128);
    assertThat(held.memoryBytes()).isEqualTo(1628);
    held.change(part, -1500, -128);
    assertThat(held.memoryBytes()).isZero();
  }

  @Test
  void whileMuchIsHeldOnlyTheLeadingMessageMayContinue() {
    Part leading = partOf(MIB);
    Part other = partOf(3 * MIB);
    assertThat(held.mayResume(leading)).isTrue();
    assertThat(held.mayResume(other)).isFalse();
  }

  @Test
  void theNextMessageLeadsWhenTheLeadingOneIsComplete() {
    Part leading = partOf(MIB);
    Part other = partOf(3 * MIB);
    held.await(other);
    held.settle(0);
    assertThat(other.resumed).isZero();
    leading.bytes = 0;
    held.change(leading, -MIB, 0);
    held.settle(0);
    assertThat(other.resumed).isEqualTo(1);
    assertThat(held.mayResume(other)).isTrue();
  }

  @Test
  void aCallThatHasEndedIsNotResumed() {
    Part leading = partOf(MIB);
    Part other = partOf(3 * MIB);
    held.await(other);
    held.forget(other);
    leading.bytes = 0;
    held.change(leading, -MIB, 0);
    held.settle(0);
    assertThat(other.resumed).isZero();
  }

  @Test
  void whileLittleIsHeldNothingIsChecked() {
    partOf(MIB);
    held.settle(0);
    assertThat(connection.deadlines.earliestNanos()).isEqualTo(DeadlineHeap.NEVER);
  }

  @Test
  void whileMuchIsHeldCallsThatStandStillEnd() {
    Part still = partOf(MIB);
    Part moving = partOf(MIB);
    still.progress = HeldMessages.Progress.STANDS_STILL;
    held.settle(0);
    connection.passes(CHECK - 1);
    assertThat(still.ends).isEmpty();
    connection.passes(1);
    assertThat(still.ends)
        .singleElement()
        .extracting(Status::code)
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(moving.ends).isEmpty();
  }

  @Test
  void whileTheLeadingMessageHasStoppedOthersMayContinue() {
    Part leading = partOf(MIB);
    Part other = partOf(3 * MIB);
    leading.progress = HeldMessages.Progress.STOPPED;
    other.progress = HeldMessages.Progress.STOPPED;
    held.settle(0);
    connection.passes(CHECK);
    assertThat(held.mayResume(other)).isTrue();
    leading.progress = HeldMessages.Progress.GOES_ON;
    held.settle(0);
    connection.passes(CHECK);
    assertThat(held.mayResume(other)).isFalse();
  }

  @Test
  void aCheckAfterAPauseOfTheLoopEndsNothing() {
    Part still = partOf(2 * MIB);
    still.progress = HeldMessages.Progress.STANDS_STILL;
    held.settle(0);
    connection.catchUp.recordPauses(LoopPauses.NONE.plus(CHECK / 2, CHECK), CHECK);
    connection.passes(CHECK);
    assertThat(still.ends).isEmpty();
    held.settle(0);
    connection.passes(CHECK);
    assertThat(still.ends).hasSize(1);
  }

  @Test
  void allCallsAreCountedAgainWhenMuchMoreSeemsToBeHeld() {
    Part part = partOf(MIB);
    held.settle(0);
    assertThat(part.counted).isZero();
    partOf(MIB);
    held.settle(0);
    assertThat(part.counted).isEqualTo(1);
    held.settle(0);
    assertThat(part.counted).isEqualTo(1);
  }

  @Test
  void whileMemoryIsScarceChecksComeSoonerAndSpreadOut() {
    Part still = partOf(1);
    still.progress = HeldMessages.Progress.STANDS_STILL;
    connection
        .budget
        .join(connection.pipe.info().remoteAddress(), 0, new PlayedConnection.Unmoved())
        .report(40 << 20, 0, 0);
    connection.pressure.settle();
    assertThat(connection.pressure.isScarce()).isTrue();
    held.settle(7);
    assertThat(connection.deadlines.earliestNanos()).isEqualTo(SCARCE_CHECK + 7);
    connection.passes(SCARCE_CHECK + 7);
    assertThat(still.ends).hasSize(1);
  }
}
