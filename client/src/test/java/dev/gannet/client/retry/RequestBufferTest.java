package dev.gannet.client.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.retry.RequestBuffer.Entry;
import dev.gannet.client.retry.RequestBuffer.Reader;
import dev.gannet.client.retry.RequestBuffer.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a call keeps of its request, and what each attempt gets of it. */
@Timeout(30)
class RequestBufferTest {
  private static final int CALL_BYTES = 1 << 20;

  private static final int LETTER_BYTES = 1500;

  /** What a message of one letter takes. */
  private static final long COST_OF_ONE = RequestBuffer.ENTRY_BYTES + LETTER_BYTES;

  private final ReplayLimits limits = new ReplayLimits(CALL_BYTES, 16 << 20);
  private final RequestBuffer<String> buffer = new RequestBuffer<>(limits);
  private final Reader<String> reader = new Reader<>();
  private final Reader<String> other = new Reader<>();

  private boolean add(String message) {
    return buffer.add(Entry.message(message, false), LETTER_BYTES * message.length());
  }

  /** What is counted for the channel if a call has reserved so much. */
  private static long counted(long bytes) {
    return bytes - ReplayLimits.UNCOUNTED_BYTES;
  }

  private boolean addEnd() {
    return buffer.add(Entry.end(), 0);
  }

  /** All that the attempt gets now. */
  private List<String> read(Reader<String> by) {
    List<String> found = new ArrayList<>();
    for (Entry<String> next = buffer.claim(by); next != null; next = buffer.next(by)) {
      found.add(text(next));
    }
    return found;
  }

  private static String text(@Nullable Entry<String> entry) {
    if (entry == null) {
      return "nothing";
    }
    return (entry.message() == null ? "" : entry.message()) + (entry.ends() ? "." : "");
  }

  @Test
  void eachAttemptGetsTheWholeRequestInItsOrder() {
    assertThat(read(reader)).isEmpty();
    add("a");
    assertThat(read(reader)).containsExactly("a");
    add("b");
    buffer.add(Entry.whole("c", true), 1);
    assertThat(read(reader)).containsExactly("b", "c.");
    assertThat(read(other)).containsExactly("a", "b", "c.");
    assertThat(reader.gotCount()).isEqualTo(3);
    assertThat(buffer.state()).isEqualTo(State.KEPT);
  }

  @Test
  void anEndWithoutAMessageHasNoMessage() {
    addEnd();
    Entry<String> end = Objects.requireNonNull(buffer.claim(reader));
    assertThat(end.ends()).isTrue();
    assertThat(end.message()).isNull();
    assertThat(end.isCompressed()).isFalse();
  }

  @Test
  void anAttemptGetsTheRequestFromOneThreadAtATime() {
    add("a");
    add("b");
    assertThat(text(buffer.claim(reader))).isEqualTo("a");
    assertThat(buffer.claim(reader)).isNull(); // of another thread
    assertThat(text(buffer.next(reader))).isEqualTo("b");
    assertThat(buffer.next(reader)).isNull();
    assertThat(buffer.claim(reader)).isNull();
    add("c");
    assertThat(text(buffer.claim(reader))).isEqualTo("c");
  }

  @Test
  void anAttemptThatWasLeftGetsNothingMore() {
    add("a");
    buffer.claim(reader);
    buffer.leave(reader);
    assertThat(buffer.next(reader)).isNull();
    assertThat(read(reader)).isEmpty();
    assertThat(read(other)).containsExactly("a");
  }

  @Test
  void anAttemptThatCannotBeSentARequestDoesNotTakeItFromTheOthers() {
    add("a");
    buffer.claim(reader);
    buffer.complete(reader);
    assertThat(buffer.state()).isEqualTo(State.KEPT);
    assertThat(read(reader)).isEmpty();
    assertThat(read(other)).containsExactly("a");
  }

  @ParameterizedTest
  @CsvSource({
    // what the committed attempt has got of two messages, or does; whether it lacks one, next state
    "nothing yet, true, PASSED_ON",
    "one and is read further, false, PASSED_ON",
    "all and is read further, false, PASSED_ON",
    "all, false, DIRECT",
    "all with the end, false, OVER",
    "it was left, false, OVER",
  })
  void aCommittedAttemptGetsTheRest(String got, boolean lacks, State next) {
    add("a");
    add("b");
    switch (got) {
      case "one and is read further" -> buffer.claim(reader);
      case "all and is read further" -> {
        buffer.claim(reader);
        buffer.next(reader);
      }
      case "all" -> read(reader);
      case "all with the end" -> {
        addEnd();
        read(reader);
      }
      case "it was left" -> buffer.leave(reader);
      default -> {}
    }
    assertThat(buffer.commit(reader)).isEqualTo(lacks);
    assertThat(buffer.state()).isEqualTo(next);
    assertThat(limits.usedBytes())
        .isEqualTo(next == State.PASSED_ON ? counted(2 * COST_OF_ONE) : 0);
  }

  @Test
  void whatIsPassedOnIsSentInItsOrderAndThenDirectly() {
    add("a");
    add("b");
    assertThat(buffer.commit(reader)).isTrue();
    assertThat(text(buffer.claim(reader))).isEqualTo("a");
    assertThat(add("c".repeat(CALL_BYTES))).isTrue(); // it is not kept for other attempts
    assertThat(text(buffer.next(reader))).isEqualTo("b");
    assertThat(text(buffer.next(reader))).startsWith("c");
    assertThat(buffer.state()).isEqualTo(State.PASSED_ON);
    assertThat(limits.usedBytes()).isEqualTo(counted(2 * COST_OF_ONE));
    assertThat(buffer.next(reader)).isNull();
    assertThat(buffer.state()).isEqualTo(State.DIRECT);
    assertThat(limits.usedBytes()).isZero();
  }

  @Test
  void anAttemptThatIsCommittedWhileItIsReadContinuesWhereItWas() {
    add("a");
    add("b");
    buffer.claim(reader);
    assertThat(buffer.commit(reader)).isFalse();
    assertThat(buffer.claim(reader)).isNull();
    assertThat(text(buffer.next(reader))).isEqualTo("b");
    assertThat(buffer.next(reader)).isNull();
    assertThat(buffer.state()).isEqualTo(State.DIRECT);
  }

  @Test
  void theEndOfWhatIsPassedOnEndsTheRequest() {
    add("a");
    addEnd();
    buffer.commit(reader);
    assertThat(read(reader)).containsExactly("a", ".");
    assertThat(buffer.state()).isEqualTo(State.OVER);
    assertThat(limits.usedBytes()).isZero();
  }

  @Test
  void aCommittedAttemptThatCannotBeSentTheRequestEndsIt() {
    add("a");
    add("b");
    buffer.commit(reader);
    buffer.claim(reader);
    buffer.complete(reader);
    assertThat(buffer.state()).isEqualTo(State.OVER);
    assertThat(limits.usedBytes()).isZero();
    assertThat(buffer.next(reader)).isNull();
  }

  @Test
  void nothingIsAddedOnceNothingIsKept() {
    buffer.commit(reader);
    assertThat(buffer.state()).isEqualTo(State.DIRECT);
    assertThat(add("a")).isTrue();
    assertThat(read(other)).isEmpty();
    buffer.drop();
    assertThat(buffer.state()).isEqualTo(State.OVER);
    assertThat(add("a")).isTrue();
    assertThat(read(other)).isEmpty();
    assertThat(limits.usedBytes()).isZero();
  }

  @Test
  void aCallThatEndsWithoutAnAttemptReturnsItsMemory() {
    add("a");
    assertThat(limits.usedBytes()).isEqualTo(counted(COST_OF_ONE));
    buffer.drop();
    assertThat(limits.usedBytes()).isZero();
    assertThat(read(reader)).isEmpty();
  }

  @Test
  void aMessageThatIsTooLargeIsNotAdded() {
    assertThat(add("a".repeat(CALL_BYTES))).isFalse();
    assertThat(add("b")).isTrue();
    assertThat(addEnd()).isTrue(); // it needs no memory
    assertThat(read(reader)).containsExactly("b", ".");
  }

  private boolean addBeyond(int bytes) {
    return buffer.addBeyond(Entry.message("m", false), bytes - RequestBuffer.ENTRY_BYTES);
  }

  @Test
  void beyondTheLimitThereIsRoomForSmallMessages() {
    assertThat(addBeyond(RequestBuffer.BEYOND_BYTES - 100)).isTrue();
    assertThat(addBeyond(101)).isFalse();
    assertThat(addBeyond(100)).isTrue();
    assertThat(addBeyond(RequestBuffer.ENTRY_BYTES)).isFalse();
    assertThat(read(reader)).hasSize(2);
    assertThat(limits.usedBytes()).isZero();
  }

  @Test
  void beyondTheLimitThereIsRoomForOneMessageOfAnySize() {
    assertThat(addBeyond(10 * RequestBuffer.BEYOND_BYTES)).isTrue();
    assertThat(addBeyond(RequestBuffer.ENTRY_BYTES)).isFalse();
    assertThat(read(reader)).hasSize(1);
  }

  @Test
  void emptyMessagesAreBoundedAsWell() {
    int kept = 0;
    while (add("")) {
      kept++;
    }
    assertThat(kept).isEqualTo(CALL_BYTES / RequestBuffer.ENTRY_BYTES);
    assertThat(limits.usedBytes()).isEqualTo(counted(CALL_BYTES));
    buffer.drop();
    assertThat(limits.usedBytes()).isZero();
  }

  @Test
  void theCallsOfAChannelShareItsLimit() {
    ReplayLimits small = new ReplayLimits(1 << 20, 10_000);
    RequestBuffer<String> one = new RequestBuffer<>(small);
    RequestBuffer<String> another = new RequestBuffer<>(small);
    assertThat(one.add(Entry.message("m", false), 9_000)).isTrue();
    assertThat(another.add(Entry.message("m", false), 4_000)).isFalse();
    one.drop();
    assertThat(another.add(Entry.message("m", false), 4_000)).isTrue();
  }

  @Test
  void theFirstKibibyteOfACallIsNotCountedForItsChannel() {
    int most = (int) ReplayLimits.UNCOUNTED_BYTES - RequestBuffer.ENTRY_BYTES;
    ReplayLimits none = new ReplayLimits(1 << 20, 0);
    RequestBuffer<String> call = new RequestBuffer<>(none);
    assertThat(call.add(Entry.message("m", false), most)).isTrue();
    assertThat(none.usedBytes()).isZero();
    assertThat(call.add(Entry.message("m", false), 0)).isFalse();
    call.drop();
    assertThat(none.usedBytes()).isZero();
  }

  @Test
  void theCostPerMessageDoesNotGrowWithTheRequest() {
    ReplayLimits enough = new ReplayLimits(1 << 30, 1 << 30);
    RequestBuffer<String> large = new RequestBuffer<>(enough);
    int messages = 300_000;
    for (int i = 0; i < messages; i++) {
      large.add(Entry.message("m", false), 1);
    }
    for (int i = 0; i < messages; i++) {
      assertThat(i == 0 ? large.claim(reader) : large.next(reader)).isNotNull();
    }
    assertThat(large.next(reader)).isNull();
  }
}
