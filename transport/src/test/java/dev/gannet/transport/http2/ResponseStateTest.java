package dev.gannet.transport.http2;

import static dev.gannet.transport.http2.ResponseState.ANSWERING;
import static dev.gannet.transport.http2.ResponseState.ENDED;
import static dev.gannet.transport.http2.ResponseState.FAILING;
import static dev.gannet.transport.http2.ResponseState.GONE;
import static dev.gannet.transport.http2.ResponseState.OPEN;
import static dev.gannet.transport.http2.ResponseState.REFUSING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each state of a served call, and what each event makes of it. */
final class ResponseStateTest {
  @ParameterizedTest
  @CsvSource({
    // state     OK         failure    refusal   end    handler gone
    "OPEN,      ANSWERING, FAILING,   REFUSING, ENDED, OPEN",
    "ANSWERING, ANSWERING, ANSWERING, REFUSING, ENDED, ANSWERING",
    "FAILING,   FAILING,   FAILING,   REFUSING, ENDED, FAILING",
    "REFUSING,  REFUSING,  REFUSING,  REFUSING, ENDED, REFUSING",
    "ENDED,     ENDED,     ENDED,     ENDED,    ENDED, GONE",
    "GONE,      GONE,      GONE,      GONE,     GONE,  GONE"
  })
  // Breaks ParameterNumber: one for each column of the table.
  void eachEventLeadsToOneState(
      ResponseState state,
      ResponseState answered,
      ResponseState failed,
      ResponseState refused,
      ResponseState ended,
      ResponseState gone) {
    assertThat(state.onHandlersStatus(Status.OK)).isEqualTo(answered);
    assertThat(state.onHandlersStatus(Status.NOT_FOUND)).isEqualTo(failed);
    assertThat(state.onRefusal()).isEqualTo(refused);
    assertThat(state.onEnd()).isEqualTo(ended);
    assertThat(state.onHandlerGone()).isEqualTo(gone);
  }

  @Test
  void theStatesExcludeEachOther() {
    assertThat(those(ResponseState::isEnding)).containsExactly(ANSWERING, FAILING, REFUSING);
    assertThat(those(ResponseState::isEngineNotified)).containsExactly(REFUSING, ENDED, GONE);
    assertThat(those(ResponseState::isOver)).containsExactly(ENDED, GONE);
    assertThat(those(it -> !it.isEnding() && !it.isOver())).containsExactly(OPEN);
  }

  @ParameterizedTest
  @EnumSource
  void anEndIsNeverTakenBack(ResponseState state) {
    ResponseState ended = state.onEnd();
    assertThat(ended.onHandlersStatus(Status.OK).onRefusal().onEnd()).isEqualTo(ended);
  }

  private static Set<ResponseState> those(Predicate<ResponseState> condition) {
    return EnumSet.allOf(ResponseState.class).stream()
        .filter(condition)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(ResponseState.class)));
  }
}
