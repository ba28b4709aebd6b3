package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.transport.http2.CountedMessages.Phase;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each phase of the messages that a call receives, and what the call's end makes of it. */
final class CountedMessagesTest {
  private static final int LITTLE = (2 << 10) - 1;
  private static final int ENOUGH = 2 << 10;
  private static final int MOST_SPARE = (4 << 20) - ENOUGH;

  @ParameterizedTest
  @CsvSource({
    // phase             reader            handler           its memory is much  nobody
    "ARRIVING,         LEFT,             UNREAD_AFTER_END, LEFT,             DROPPED",
    "WHOLE,            LEFT,             UNREAD_AFTER_END, LEFT,             DROPPED",
    "LEFT,             LEFT,             UNREAD_AFTER_END, LEFT,             DROPPED",
    "UNREAD_AFTER_END, UNREAD_AFTER_END, UNREAD_AFTER_END, UNREAD_AFTER_END, DROPPED",
    "DROPPED,          DROPPED,          DROPPED,          DROPPED,          DROPPED"
  })
  void whatWaitsBecomesWhatTheEndSays(
      Phase phase, Phase ofReader, Phase ofHandler, Phase ofMuch, Phase ofNobody) {
    assertThat(phase.ended(Unread.LEFT_TO_READER, ENOUGH, 0)).isEqualTo(ofReader);
    assertThat(phase.ended(Unread.HELD_BY_HANDLER, ENOUGH, MOST_SPARE)).isEqualTo(ofHandler);
    assertThat(phase.ended(Unread.HELD_BY_HANDLER, ENOUGH, MOST_SPARE + 1)).isEqualTo(ofMuch);
    assertThat(phase.ended(Unread.DROPPED, ENOUGH, 0)).isEqualTo(ofNobody);
  }

  @ParameterizedTest
  @EnumSource
  void littleIsDropped(Phase phase) {
    for (Unread unread : Unread.values()) {
      assertThat(phase.ended(unread, LITTLE, 0)).isEqualTo(Phase.DROPPED);
    }
  }
}
