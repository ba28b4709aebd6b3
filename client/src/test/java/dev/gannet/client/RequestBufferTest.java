package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a call keeps of its request. */
@Timeout(30)
class RequestBufferTest {
  private final ReplayLimits limits = new ReplayLimits(1 << 20, 16 << 20);
  private final RequestBuffer<String> buffer = new RequestBuffer<>(limits);

  private boolean add(String message, int sizeBytes) {
    return buffer.add(new RequestBuffer.Entry<>(message, sizeBytes, false));
  }

  private String at(long number) {
    RequestBuffer.Entry<String> entry = buffer.get(number);
    return entry == null ? "none" : entry.message();
  }

  @Test
  void eachAttemptGetsAllMessagesInTheirOrder() {
    assertThat(buffer.isEmpty()).isTrue();
    assertThat(at(0)).isEqualTo("none");
    add("a", 1);
    add("b", 1);
    assertThat(List.of(at(0), at(1), at(2), at(0))).containsExactly("a", "b", "none", "a");
    buffer.forget(2); // nobody is committed
    assertThat(at(0)).isEqualTo("a");
    assertThat(buffer.isEmpty()).isFalse();
  }

  @Test
  void emptyMessagesAreBoundedAsWell() {
    int kept = 0;
    while (add("", 0)) {
      kept++;
    }
    assertThat(kept).isEqualTo((1 << 20) / RequestBuffer.ENTRY_BYTES);
    assertThat(limits.usedBytes()).isEqualTo(1 << 20);
    assertThat(at(kept)).isEmpty(); // the one too many is here until it is sent
    buffer.commit(0);
    assertThat(limits.usedBytes()).isZero();
  }

  @Test
  void aCommittedAttemptLetsGoOfWhatItHasSent() {
    for (int i = 0; i < 1_000; i++) {
      add("m" + i, 1);
    }
    buffer.commit(10);
    assertThat(at(9)).isEqualTo("none");
    List<String> sent = new ArrayList<>();
    for (long number = 10; !buffer.isEmpty(); number++) {
      sent.add(at(number));
      buffer.forget(number + 1);
      if (number == 500) {
        assertThat(add("later", 1 << 30)).isTrue(); // nothing is kept for others any more
      }
    }
    assertThat(sent).hasSize(991).startsWith("m10", "m11").endsWith("m999", "later");
    assertThat(at(5_000)).isEqualTo("none");
    add("last", 1);
    assertThat(at(1_001)).isEqualTo("last");
    buffer.forget(Long.MAX_VALUE);
    assertThat(buffer.isEmpty()).isTrue();
  }

  @Test
  void aLongRequestCostsNoMoreForAMessageThanAShortOne() {
    RequestBuffer<String> large =
        new RequestBuffer<>(new ReplayLimits(Long.MAX_VALUE, Long.MAX_VALUE));
    int messages = 300_000;
    for (int i = 0; i < messages; i++) {
      large.add(new RequestBuffer.Entry<>("m", 1, false));
    }
    long found = 0;
    for (int i = 0; i < messages; i++) {
      found += large.get(i) == null ? 0 : 1;
    }
    assertThat(found).isEqualTo(messages);
  }
}
