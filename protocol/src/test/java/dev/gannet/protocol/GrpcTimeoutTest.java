package dev.gannet.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a client waits, as text and back. */
final class GrpcTimeoutTest {
  private static final long MAX_AMOUNT = 99_999_999;

  @ParameterizedTest
  @CsvSource({
    "1, 1n",
    "99999999, 99999999n",
    "100000000, 100000u",
    "99999999000, 99999999u",
    "99999999001, 100000m",
    "99999999000000, 99999999m",
    "99999999000001, 100000S",
    "99999999000000000, 99999999S",
    "99999999000000001, 1666667M",
    "5999999940000000000, 99999999M",
    "5999999940000000001, 1666667H",
    "9223372036854775807, 2562048H",
  })
  void theFinestUnitThatFitsIntoEightDigitsIsUsed(long nanos, String text) {
    assertThat(GrpcTimeout.format(nanos)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void anExpiredCallHasNoTimeLeft(long nanos) {
    assertThat(GrpcTimeout.format(nanos)).isEqualTo("0n");
  }

  @ParameterizedTest
  @CsvSource({
    "0n, 0",
    "1n, 1",
    "00000001u, 1000",
    "100m, 100000000",
    "1S, 1000000000",
    "3M, 180000000000",
    "2H, 7200000000000",
    "99999999M, 5999999940000000000",
    "2562047H, 9223369200000000000",
  })
  void eachUnitIsConvertedToNanoseconds(String text, long nanos) {
    assertThat(GrpcTimeout.parseNanos(text)).hasValue(nanos);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2562048H", "99999999H"})
  void aTimeoutThatOverflowsIsTheLongestPossibleOne(String text) {
    assertThat(GrpcTimeout.parseNanos(text)).hasValue(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "n",
        "1",
        "12",
        "123456789n",
        "000000001n",
        "-1n",
        "+1n",
        " 1n",
        "1n ",
        "1 n",
        "1s",
        "1h",
        "1N",
        "1.5S",
        "0x1n",
        "1nn",
        "n1",
        "١n",
        "1ｎ"
      })
  void anythingElseIsMalformed(String text) {
    assertThat(GrpcTimeout.parseNanos(text)).isEmpty();
  }

  @Test
  void formattingRoundsUpByLessThanOneUnit() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 100_000; i++) {
      long nanos = (random.nextLong() >>> (1 + random.nextInt(62))) + 1;
      String text = GrpcTimeout.format(nanos);
      long unitNanos = GrpcTimeout.parseNanos("1" + text.charAt(text.length() - 1)).getAsLong();
      assertThat(GrpcTimeout.parseNanos(text).getAsLong() - nanos)
          .as("seed %d, %d ns as %s", seed, nanos, text)
          .isBetween(0L, unitNanos - 1);
      assertThat(unitNanos == 1 || nanos / (unitNanos / 60) > MAX_AMOUNT / 60)
          .as("seed %d, %d ns as %s could be finer", seed, nanos, text)
          .isTrue();
    }
  }
}
