package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which resets of calls without an answer are free. Times are in milliseconds. */
final class HonestResetTest {
  private static OptionalLong nanos(String millis) {
    return millis.equals("none")
        ? OptionalLong.empty()
        : OptionalLong.of(nanos(Long.parseLong(millis)));
  }

  private static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @ParameterizedTest
  @CsvSource({
    // age  timeout remaining free
    "   0,  none,   none,     false",
    "1999,  none,   none,     false",
    "2000,  none,   none,     true", // old
    "2000,  60000,  58000,    true",
    "1000,  60000,  59000,    false",
    " 699,  800,    101,      false",
    " 700,  800,    100,      true", // the last eighth of the timeout
    " 900,  800,    -100,     true",
    "   0,  0,      0,        true",
    " 700,  800,    none,     false" // the deadline is this server's
  })
  void aResetIsFreeIfTheCallIsOldOrAsGoodAsLate(
      long age, String timeout, String remaining, boolean free) {
    HonestReset reset = new HonestReset(nanos(age), nanos(timeout), nanos(remaining));
    assertThat(reset.isFree()).isEqualTo(free);
  }

  @ParameterizedTest
  @CsvSource({
    // timeout  age from which on it is free
    "none,      2000",
    "60000,     2000",
    "2400,      2000",
    "2000,      1750",
    "800,       700",
    "0,         0"
  })
  void aCallIsOldEnoughAfterTwoSecondsOrSevenEighthsOfItsTimeout(String timeout, long age) {
    HonestReset reset = new HonestReset(0, nanos(timeout), OptionalLong.empty());
    assertThat(reset.freeAgeNanos()).isEqualTo(nanos(age));
  }
}
