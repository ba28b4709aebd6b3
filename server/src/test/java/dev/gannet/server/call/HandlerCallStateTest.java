package dev.gannet.server.call;

import static dev.gannet.server.call.HandlerCallState.ANSWERED;
import static dev.gannet.server.call.HandlerCallState.CANCELLED;
import static dev.gannet.server.call.HandlerCallState.COMPLETED;
import static dev.gannet.server.call.HandlerCallState.FAILED;
import static dev.gannet.server.call.HandlerCallState.OPEN;
import static dev.gannet.server.call.HandlerCallState.OVER;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every transition of a call's state. */
final class HandlerCallStateTest {
  @ParameterizedTest
  @CsvSource({
    // before, answered, failed, delivered, cut off
    "OPEN,      ANSWERED,  FAILED, COMPLETED, CANCELLED",
    "ANSWERED,  ANSWERED,  FAILED, COMPLETED, OVER",
    "COMPLETED, COMPLETED, OVER,   COMPLETED, OVER",
    "FAILED,    FAILED,    FAILED, OVER,      OVER",
    "CANCELLED, OVER,      OVER,   OVER,      CANCELLED",
    "OVER,      OVER,      OVER,   OVER,      OVER",
  })
  void eachEventLeadsToTheNextState(
      HandlerCallState before,
      HandlerCallState answered,
      HandlerCallState failed,
      HandlerCallState delivered,
      HandlerCallState cut) {
    assertThat(before.answered()).isEqualTo(answered);
    assertThat(before.failed()).isEqualTo(failed);
    assertThat(before.delivered()).isEqualTo(delivered);
    assertThat(before.cutOff()).isEqualTo(cut);
  }

  @ParameterizedTest
  @EnumSource
  void eachStateIsAnsweredCancelledOrEnded(HandlerCallState state) {
    assertThat(state.isAnswered()).isEqualTo(state != OPEN && state != CANCELLED);
    assertThat(state.isCancelled())
        .isEqualTo(state != OPEN && state != ANSWERED && state != COMPLETED);
    assertThat(state.isEnded())
        .isEqualTo(state == COMPLETED || state == CANCELLED || state == OVER);
    assertThat(state == FAILED && state.isEnded()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void answeredAndCancelledCallsStaySo(HandlerCallState state) {
    for (HandlerCallState next :
        new HandlerCallState[] {
          state.answered(), state.failed(), state.delivered(), state.cutOff()
        }) {
      assertThat(next.isAnswered() || !state.isAnswered()).isTrue();
      assertThat(next.isCancelled() || !state.isCancelled()).isTrue();
      assertThat(next.isEnded() || !state.isEnded()).isTrue();
    }
    assertThat(OVER.isAnswered() && OVER.isCancelled() && OVER.isEnded()).isTrue();
    assertThat(ANSWERED.isEnded()).isFalse();
  }
}
