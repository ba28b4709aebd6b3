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
  void aReceiveWindowAcceptsItsSizeAndNotOneByteMore() {
    ReceiveWindow window = new ReceiveWindow(100);
    assertThat(window.take(100)).isTrue();
    assertThat(window.take(0)).isTrue();
    assertThat(window.take(1)).isFalse();
  }

  @Test
  void aReceiveWindowIsReplenishedInHalves() {
    ReceiveWindow window = new ReceiveWindow(100);
    assertThat(window.take(100)).isTrue();
    assertThat(window.consume(49)).isZero();
    assertThat(window.consume(1)).isEqualTo(50);
    assertThat(window.take(50)).isTrue();
    assertThat(window.take(1)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1000, 65_535, Integer.MAX_VALUE})
  void consumedBytesAreGivenBack(int size) {
    ReceiveWindow window = new ReceiveWindow(size);
    assertThat(window.take(size)).isTrue();
    assertThat(window.consume(size)).isEqualTo(size);
    assertThat(window.take(size)).isTrue();
    assertThat(window.consume(0)).isZero();
  }

  @Test
  void aReducedReceiveWindowMustBecomePositiveBeforeMoreIsTaken() {
    ReceiveWindow window = new ReceiveWindow(100);
    assertThat(window.take(80)).isTrue();
    assertThat(window.resize(40)).isZero();
    assertThat(window.left()).isEqualTo(-40);
    assertThat(window.take(0)).as("nothing needs no window").isTrue();
    assertThat(window.consume(60)).isEqualTo(60);
    assertThat(window.left()).isEqualTo(20);
    assertThat(window.take(20)).isTrue();
    assertThat(window.take(1)).isFalse();
  }

  @Test
  void narrowingAReceiveWindowGivesBackWhatIsNowHalfOfIt() {
    ReceiveWindow window = new ReceiveWindow(100);
    assertThat(window.take(70)).isTrue();
    assertThat(window.consume(49)).isZero();
    assertThat(window.resize(90)).isEqualTo(49);
    assertThat(window.owed()).isZero();
  }

  @Test
  void aWidenedReceiveWindowTakesMoreAtOnce() {
    ReceiveWindow window = new ReceiveWindow(100);
    assertThat(window.take(100)).isTrue();
    assertThat(window.resize(150)).isZero();
    assertThat(window.take(50)).isTrue();
    assertThat(window.take(1)).isFalse();
  }

  @Test
  void aSharedWindowIsGivenBackAsDataArrives() {
    SharedWindow window = new SharedWindow(100, 1000);
    assertThat(window.take(49)).isTrue();
    assertThat(window.giveBack()).isZero();
    assertThat(window.take(1)).isTrue();
    assertThat(window.giveBack()).isEqualTo(50);
    assertThat(window.left()).isEqualTo(100);
  }

  @Test
  void aSharedWindowIsWholeWhileReadersHoldNoMoreThanTheBound() {
    SharedWindow window = new SharedWindow(100, 1000);
    window.hold(1000);
    assertThat(window.take(100)).isTrue();
    assertThat(window.giveBack()).isEqualTo(100);
  }

  @Test
  void aSharedWindowShrinksByWhatReadersHoldBeyondTheBound() {
    SharedWindow window = new SharedWindow(100, 1000);
    assertThat(window.take(100)).isTrue();
    window.hold(1040);
    assertThat(window.giveBack()).isEqualTo(60);
    assertThat(window.take(61)).isFalse();
  }

  @Test
  void aSharedWindowOpensAgainAsReadersRead() {
    SharedWindow window = new SharedWindow(100, 1000);
    assertThat(window.take(100)).isTrue();
    window.hold(1100);
    assertThat(window.giveBack()).isZero();
    window.hold(-49);
    assertThat(window.giveBack()).isZero();
    window.hold(-1);
    assertThat(window.giveBack()).isEqualTo(50);
    window.hold(-1050);
    assertThat(window.giveBack()).isEqualTo(50);
    assertThat(window.left()).isEqualTo(100);
  }

  @Test
  void aSharedWindowThatGrowsIsUpdatedAtOnce() {
    SharedWindow window = new SharedWindow(100, 1000);
    assertThat(window.take(10)).isTrue();
    assertThat(window.growTo(150)).isEqualTo(60);
    assertThat(window.left()).isEqualTo(150);
  }

  @Test
  void emptyDataNeedsNoSharedWindow() {
    SharedWindow window = new SharedWindow(100, 1000);
    assertThat(window.take(100)).isTrue();
    assertThat(window.take(0)).isTrue();
    assertThat(window.take(1)).isFalse();
  }

  @Test
  void aLargeReceiveWindowIsReplenishedByQuarterMebibytes() {
    ReceiveWindow window = new ReceiveWindow(8 << 20);
    assertThat(window.take(1 << 20)).isTrue();
    assertThat(window.consume((256 << 10) - 1)).isZero();
    assertThat(window.consume(1)).isEqualTo(256 << 10);
  }
}
