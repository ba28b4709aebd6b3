package dev.gannet.http2.connection;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each offence is allowed as often as its rate says; the next one ends the connection. */
final class OffenceRatesTest {
  @ParameterizedTest(name = "{0}")
  @MethodSource("dev.gannet.http2.connection.Offences#all")
  void asManyAsTheRateAllowsAtOnceAreServed(Offences offences) {
    offences.prepares();
    offences.areLimitedTo(Offences.AT_ONCE);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("dev.gannet.http2.connection.Offences#all")
  void asManyAsTheRateAllowsInAMinuteAreServedLater(Offences offences) {
    offences.prepares();
    offences.areAllowed(Offences.AT_ONCE);
    offences.peer().waitsSeconds(3);
    offences.areLimitedTo(3 * Offences.A_SECOND);
  }
}
