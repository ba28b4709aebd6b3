package dev.gannet.http2.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.stream.StreamState.Step;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every state with every input (RFC 9113 §5.1); {@code -} stands for "ignored". What frames do that
 * are no input here shows in {@code FramesOnStreamsTest}.
 */
final class StreamStateTest {
  @ParameterizedTest
  @CsvSource({
    "IDLE,               OPEN,               HALF_CLOSED_REMOTE",
    "OPEN,               OPEN,               HALF_CLOSED_REMOTE",
    "HALF_CLOSED_LOCAL,  HALF_CLOSED_LOCAL,  ENDED",
    "HALF_CLOSED_REMOTE, STREAM_CLOSED,      STREAM_CLOSED",
    "ENDED,              STREAM_CLOSED,      STREAM_CLOSED",
    "RESET_BY_US,        -,                  -",
    "RESET_BY_PEER,      STREAM_CLOSED,      STREAM_CLOSED"
  })
  void receivedHeadersChangeTheState(StreamState state, String withoutEnd, String withEnd) {
    assertThat(outcome(state.onHeaders(EndStream.NO))).isEqualTo(withoutEnd);
    assertThat(outcome(state.onHeaders(EndStream.YES))).isEqualTo(withEnd);
  }

  @ParameterizedTest
  @CsvSource({
    "IDLE,               PROTOCOL_ERROR,     PROTOCOL_ERROR",
    "OPEN,               OPEN,               HALF_CLOSED_REMOTE",
    "HALF_CLOSED_LOCAL,  HALF_CLOSED_LOCAL,  ENDED",
    "HALF_CLOSED_REMOTE, STREAM_CLOSED,      STREAM_CLOSED",
    "ENDED,              STREAM_CLOSED,      STREAM_CLOSED",
    "RESET_BY_US,        -,                  -",
    "RESET_BY_PEER,      STREAM_CLOSED,      STREAM_CLOSED"
  })
  void receivedDataChangesTheState(StreamState state, String withoutEnd, String withEnd) {
    assertThat(outcome(state.onData(EndStream.NO))).isEqualTo(withoutEnd);
    assertThat(outcome(state.onData(EndStream.YES))).isEqualTo(withEnd);
  }

  @ParameterizedTest
  @CsvSource({
    "IDLE,               PROTOCOL_ERROR",
    "OPEN,               RESET_BY_PEER",
    "HALF_CLOSED_LOCAL,  RESET_BY_PEER",
    "HALF_CLOSED_REMOTE, RESET_BY_PEER",
    "ENDED,              -",
    "RESET_BY_US,        -",
    "RESET_BY_PEER,      -"
  })
  void aReceivedResetChangesTheState(StreamState state, String expected) {
    assertThat(outcome(state.onReset())).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "IDLE,               OPEN,               HALF_CLOSED_LOCAL",
    "OPEN,               OPEN,               HALF_CLOSED_LOCAL",
    "HALF_CLOSED_LOCAL,  HALF_CLOSED_LOCAL,  HALF_CLOSED_LOCAL",
    "HALF_CLOSED_REMOTE, HALF_CLOSED_REMOTE, ENDED",
    "ENDED,              ENDED,              ENDED",
    "RESET_BY_US,        RESET_BY_US,        RESET_BY_US",
    "RESET_BY_PEER,      RESET_BY_PEER,      RESET_BY_PEER"
  })
  void sentFramesChangeTheState(StreamState state, StreamState withoutEnd, StreamState withEnd) {
    assertThat(state.afterSending(EndStream.NO)).isEqualTo(withoutEnd);
    assertThat(state.afterSending(EndStream.YES)).isEqualTo(withEnd);
  }

  @ParameterizedTest
  @CsvSource({
    "IDLE,               false, false, false",
    "OPEN,               true,  true,  false",
    "HALF_CLOSED_LOCAL,  false, true,  false",
    "HALF_CLOSED_REMOTE, true,  false, false",
    "ENDED,              false, false, true",
    "RESET_BY_US,        false, false, true",
    "RESET_BY_PEER,      false, false, true"
  })
  void eachStateSaysWhetherItIsReadableWritableOrClosed(
      StreamState state, String writable, String readable, String closed) {
    assertThat(state.isWritable()).isEqualTo(Boolean.parseBoolean(writable));
    assertThat(state.isReadable()).isEqualTo(Boolean.parseBoolean(readable));
    assertThat(state.isClosed()).isEqualTo(Boolean.parseBoolean(closed));
  }

  @Test
  void aBrokenRuleIsDescribed() {
    assertThat(Arrays.stream(StreamState.values()).flatMap(StreamStateTest::received))
        .allSatisfy(step -> {
          if (step instanceof Step.Broken broken) {
            assertThat(broken.detail()).isNotBlank();
          }
        });
  }

  private static Stream<Step> received(StreamState state) {
    return Stream.of(
        state.onHeaders(EndStream.NO),
        state.onHeaders(EndStream.YES),
        state.onData(EndStream.NO),
        state.onData(EndStream.YES),
        state.onReset());
  }

  private static String outcome(Step step) {
    return switch (step) {
      case Step.To(var next) -> next.name();
      case Step.Ignore() -> "-";
      case Step.Broken(var code, var detail) -> code.name();
    };
  }
}
