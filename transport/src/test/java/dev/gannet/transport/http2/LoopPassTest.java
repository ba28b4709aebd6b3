package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How much one pass parses before others have their turn. */
final class LoopPassTest {
  private static final int MUCH = 32 << 10;

  private final PlayedPipe pipe = new PlayedPipe();
  private final LoopPass pass = new LoopPass(pipe);

  @Test
  void aBatchBeginsWithBytesOrWithOtherWork() {
    assertThat(pass.isInBatch()).isFalse();
    pass.begin(7);
    assertThat(pass.isInBatch()).isTrue();
    pass.end();
    assertThat(pass.isInBatch()).isFalse();
    pass.enter();
    assertThat(pass.isInBatch()).isTrue();
    assertThat(pass.beganNanos()).isEqualTo(7);
  }

  @Test
  void aPassThatTakesLongParsesNothingMoreItself() {
    pass.begin(0);
    pipe.nowNanos = LoopPass.LONG_PASS_NANOS + 1;
    assertThat(pass.admit(MUCH - 1)).isTrue(); // the clock is read from time to time only
    assertThat(pass.admit(1)).isFalse();
    assertThat(pass.admit(1)).isFalse();
  }

  @Test
  void aPassThatIsQuickParsesEverything() {
    pass.begin(0);
    pipe.nowNanos = LoopPass.LONG_PASS_NANOS;
    assertThat(pass.admit(MUCH)).isTrue();
    assertThat(pass.admit(MUCH)).isTrue();
  }

  @Test
  void aPassIsShortUntilItHasTakenTooLong() {
    pass.begin(5);
    pipe.nowNanos = 5 + LoopPass.SHORT_PASS_NANOS - 1;
    assertThat(pass.isShort()).isTrue();
    pipe.nowNanos++;
    assertThat(pass.isShort()).isFalse();
    pass.end();
    pass.begin(pipe.nowNanos);
    assertThat(pass.isShort()).isTrue();
  }

  @Test
  void theNextPassParsesAgain() {
    pass.begin(0);
    pipe.nowNanos = LoopPass.LONG_PASS_NANOS + 1;
    assertThat(pass.admit(MUCH)).isFalse();
    pass.end();
    pass.begin(pipe.nowNanos);
    assertThat(pass.admit(1)).isTrue();
  }
}
