package dev.gannet.api.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Which settings of connections are equal, and their texts. */
final class SettingsTest {
  @Test
  void limitsAreEqualIfTheSameWereSetToTheSameValues() {
    TransportLimits one =
        TransportLimits.DEFAULT.withMaxHeaderFields(3).withOffenceRate(Offence.PING, 10, 60);
    TransportLimits other =
        TransportLimits.DEFAULT.withOffenceRate(Offence.PING, 10, 60).withMaxHeaderFields(3);
    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    assertThat(one)
        .isNotEqualTo(TransportLimits.DEFAULT.withMaxHeaderFields(3))
        .isNotEqualTo(one.withMaxHeaderFields(4))
        .isNotEqualTo(one.withOffenceRate(Offence.PING, 10, 61));
  }

  @Test
  void theTextOfLimitsNamesThoseThatWereSet() {
    assertThat(TransportLimits.DEFAULT).hasToString("TransportLimits[]");
    assertThat(
            TransportLimits.DEFAULT
                .withMaxHeaderFields(3)
                .withHandshakeTimeout(Duration.ofSeconds(4))
                .withOffenceRate(Offence.PING, 10, 60))
        .hasToString(
            "TransportLimits[maxHeaderFields=3, handshakeTimeout=PT4S,"
                + " PING=10 at once, 60 per minute]");
  }

  @Test
  void aValueOutOfRangeIsRefusedByTheNameOfItsOption() {
    TransportLimits limits = TransportLimits.DEFAULT;
    isRefused("maxFrameBytes must be 16384 to 16777215: 0", () -> limits.withMaxFrameBytes(0));
    isRefused(
        "initialWindows: callBytes must be 1 to 2147483647: 0",
        () -> limits.withInitialWindows(0, 65_535));
    isRefused(
        "initialWindows: connectionBytes must be 65535 to 2147483647: 1",
        () -> limits.withInitialWindows(1, 1));
    isRefused(
        "flowControlWindows: connectionBytes must be 65535",
        () -> limits.withFlowControlWindows(1, 1));
    isRefused(
        "maxUnreadReplies: beforePause must be 1 to 2147483647: 0",
        () -> limits.withMaxUnreadReplies(0, 1));
    isRefused(
        "maxUnreadReplies: beforeClose must be at least beforePause: 1 < 2",
        () -> limits.withMaxUnreadReplies(2, 1));
    isRefused(
        "offenceRate: atOnce and perMinute of PING must be positive: 0, 1",
        () -> limits.withOffenceRate(Offence.PING, 0, 1));
  }

  private static void isRefused(String message, ThrowingCallable change) {
    assertThatIllegalArgumentException().isThrownBy(change).withMessageStartingWith(message);
  }

  @Test
  void whatAnOptionSetsHasAGetterOfTheNameInTheText() {
    TransportLimits set =
        TransportLimits.DEFAULT.withInitialWindows(1, 70_000).withMaxUnreadReplies(2, 3);
    assertThat(set.initialCallWindowBytes()).isEqualTo(1);
    assertThat(set.initialConnectionWindowBytes()).isEqualTo(70_000);
    assertThat(set.unreadRepliesBeforePause()).isEqualTo(2);
    assertThat(set.unreadRepliesBeforeClose()).isEqualTo(3);
    assertThat(set)
        .hasToString(
            "TransportLimits[initialCallWindowBytes=1, initialConnectionWindowBytes=70000,"
                + " unreadRepliesBeforePause=2, unreadRepliesBeforeClose=3]");
  }

  @Test
  void aLimitMayBeSetToItsDefault() {
    int standard = TransportLimits.DEFAULT.maxConcurrentCallsPerConnection();
    TransportLimits set = TransportLimits.DEFAULT.withMaxConcurrentCallsPerConnection(standard);
    assertThat(TransportLimits.DEFAULT.isMaxConcurrentCallsPerConnectionSet()).isFalse();
    assertThat(set.isMaxConcurrentCallsPerConnectionSet()).isTrue();
    assertThat(set).isNotEqualTo(TransportLimits.DEFAULT);
  }

  @Test
  void socketOptionsAreEqualByTheirValues() {
    SocketOptions one = SocketOptions.DEFAULT.withBacklog(7).withNoDelay(false);
    SocketOptions other = SocketOptions.DEFAULT.withNoDelay(false).withBacklog(7);
    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other).hasToString(other.toString());
    assertThat(one).isNotEqualTo(one.withReceiveBufferBytes(1 << 16));
    assertThat(one.toString()).contains("noDelay=false", "backlog=7", "sendBufferBytes=unset");
  }
}
