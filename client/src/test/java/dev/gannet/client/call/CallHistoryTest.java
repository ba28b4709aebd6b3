package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import org.junit.jupiter.api.Test;

/** What has delayed a call. */
final class CallHistoryTest {
  @Test
  void onlySomeAttemptsAreKept() {
    CallHistory history = CallHistory.NONE;
    for (int i = 0; i < 40; i++) {
      history = history.failed(Status.UNAVAILABLE);
    }
    assertThat(history.attempts()).hasSize(32);
  }
}
