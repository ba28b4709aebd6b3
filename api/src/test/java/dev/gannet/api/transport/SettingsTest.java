package dev.gannet.api.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
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
  void aLimitMayBeSetToItsDefault() {
    int standard = TransportLimits.DEFAULT.maxConcurrentCalls();
    TransportLimits set = TransportLimits.DEFAULT.withMaxConcurrentCalls(standard);
    assertThat(TransportLimits.DEFAULT.isMaxConcurrentCallsSet()).isFalse();
    assertThat(set.isMaxConcurrentCallsSet()).isTrue();
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
