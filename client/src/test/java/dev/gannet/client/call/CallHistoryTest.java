package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallFailure;
import dev.gannet.api.Status;
import org.junit.jupiter.api.Test;

/** What has delayed a call. */
final class CallHistoryTest {
  @Test
  void onlyTheFirstAttemptsAndTheLastAreKept() {
    CallHistory history = CallHistory.NONE;
    for (int i = 0; i < 40; i++) {
      Status busy = Status.UNAVAILABLE.withDescription("busy " + i);
      history = history.failed(CallFailure.Attempt.of(busy));
    }
    assertThat(history.attempts()).hasSize(32);
    assertThat(history.attempts().get(30).status().description()).hasValue("busy 30");
    assertThat(history.attempts().getLast().status().description()).hasValue("busy 39");
    assertThat(history.omittedAttempts()).isEqualTo(8);
  }
}
