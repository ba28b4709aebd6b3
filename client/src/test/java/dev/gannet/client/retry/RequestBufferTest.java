package dev.gannet.client.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.retry.RequestBuffer.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a call keeps of its request. */
@Timeout(30)
class RequestBufferTest {
  private final ReplayLimits limits = new ReplayLimits(1 << 20, 16 << 20);
  private final RequestBuffer<String> buffer = new RequestBuffer<>(limits);

  private void add(String message) {
    buffer.add(Entry.message(message, false));
  }

  /** What an attempt gets that has got nothing yet. */
  private List<String> all() {
    return behind(null);
  }

  private List<String> behind(@Nullable Entry<String> got) {
    List<String> found = new ArrayList<>();
    for (Entry<String> next = buffer.after(got); next != null; next = buffer.after(next)) {
      found.add(next.message() + (next.ends() ? " and the end" : ""));
    }
    return found;
  }

  @Test
  void eachAttemptGetsTheWholeRequestInItsOrder() {
    assertThat(all()).isEmpty();
    add("a");
    Entry<String> first = buffer.after(null);
    add("b");
    buffer.add(Entry.<String>message("c", true).andEnd());
    assertThat(all()).containsExactly("a", "b", "c and the end");
    assertThat(behind(first)).containsExactly("b", "c and the end");
    assertThat(all()).containsExactly("a", "b", "c and the end");
  }

  @Test
  void anEndWithoutAMessageHasNoMessage() {
    buffer.add(Entry.end());
    Entry<String> end = Objects.requireNonNull(buffer.after(null));
    assertThat(end.ends()).isTrue();
    assertThat(end.message()).isNull();
  }

  @Test
  void emptyMessagesAreBoundedAsWell() {
    int kept = 0;
    while (buffer.reserve(0)) {
      kept++;
    }
    assertThat(kept).isEqualTo((1 << 20) / RequestBuffer.ENTRY_BYTES);
    assertThat(limits.usedBytes()).isEqualTo(1 << 20);
    buffer.release();
    assertThat(limits.usedBytes()).isZero();
  }

  @Test
  void theCallsOfAChannelShareItsLimit() {
    ReplayLimits small = new ReplayLimits(1 << 20, 1_000);
    RequestBuffer<String> one = new RequestBuffer<>(small);
    RequestBuffer<String> other = new RequestBuffer<>(small);
    assertThat(one.reserve(800)).isTrue();
    assertThat(other.reserve(200)).isFalse();
    one.release();
    assertThat(other.reserve(200)).isTrue();
  }

  @Test
  void anAttemptContinuesIfEarlierEntriesWereForgotten() {
    add("a");
    add("b");
    Entry<String> got = buffer.after(null);
    buffer.forgetFirst();
    assertThat(all()).isEmpty();
    add("c");
    assertThat(behind(got)).containsExactly("b", "c");
    buffer.clear();
    add("d");
    assertThat(all()).containsExactly("d");
  }

  @Test
  void theCostPerMessageDoesNotGrowWithTheRequest() {
    int messages = 300_000;
    for (int i = 0; i < messages; i++) {
      add("m");
    }
    assertThat(all()).hasSize(messages);
  }
}
