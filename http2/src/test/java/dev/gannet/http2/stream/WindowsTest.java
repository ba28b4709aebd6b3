package dev.gannet.http2.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows by themselves (RFC 9113 §6.9). */
final class WindowsTest {
  @Test
  void aSendWindowShrinksByWhatIsSentAndGrowsByUpdates() {
    SendWindow window = new SendWindow(100);
    window.spend(60);
    assertThat(window.available()).isEqualTo(40);
    assertThat(window.widen(10)).isTrue();
    assertThat(window.available()).isEqualTo(50);
  }

  @Test
  void aSendWindowReachesTheLargestValueAndNotOneMore() {
    SendWindow window = new SendWindow(0);
    assertThat(window.widen(Integer.MAX_VALUE)).isTrue();
    assertThat(window.available()).isEqualTo(Integer.MAX_VALUE);
    assertThat(window.widen(1)).isFalse();
    assertThat(window.available()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void aSendWindowBelowZeroMustBeFilledUpFirst() {
    SendWindow window = new SendWindow(100);
    window.spend(80);
    assertThat(window.widen(-90)).isTrue();
    assertThat(window.available()).isZero();
    assertThat(window.widen(70)).isTrue();
    assertThat(window.available()).isZero();
    assertThat(window.widen(1)).isTrue();
    assertThat(window.available()).isEqualTo(1);
  }

  @Test
  void aReceiveWindowTakesWhatItHoldsAndNotOneByteMore() {
    ReceiveWindow window = new ReceiveWindow(100);
    assertThat(window.take(100)).isTrue();
    assertThat(window.take(0)).isTrue();
    assertThat(window.take(1)).isFalse();
  }

  @Test
  void aReceiveWindowIsGivenBackInPortionsOfHalfOfIt() {
    ReceiveWindow window = new ReceiveWindow(100);
    assertThat(window.take(100)).isTrue();
    assertThat(window.consume(49)).isZero();
    assertThat(window.consume(1)).isEqualTo(50);
    assertThat(window.take(50)).isTrue();
    assertThat(window.take(1)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1000, 65_535, Integer.MAX_VALUE})
  void whatIsConsumedComesBackInTheEnd(int size) {
    ReceiveWindow window = new ReceiveWindow(size);
    assertThat(window.take(size)).isTrue();
    assertThat(window.consume(size)).isEqualTo(size);
    assertThat(window.take(size)).isTrue();
    assertThat(window.consume(0)).isZero();
  }
}
