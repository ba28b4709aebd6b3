package dev.gannet.transport.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.api.transport.Offence;
import dev.gannet.api.transport.TransportLimits;
import dev.gannet.api.transport.WorkBudget;
import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.HeaderLimits;
import dev.gannet.http2.Limits;
import dev.gannet.http2.PingLimits;
import dev.gannet.http2.PingPolicy;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.WorkLimits;
import dev.gannet.transport.memory.InflatedArrays;
import dev.gannet.transport.memory.MemoryLimiter;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What users choose is what connections of HTTP/2 are made with. */
final class TransportSettingsTest {
  private static final TransportSettings DEFAULT = TransportSettings.OF_CLIENTS;

  private static ConnectionLimits with(UnaryOperator<TransportLimits> change) {
    return ConnectionLimits.of(DEFAULT.withLimits(change));
  }

  @Test
  void theDefaultsOfUsersAreThoseOfTheEngine() {
    assertThat(ConnectionLimits.of(TransportSettings.OF_CLIENTS).memory())
        .isSameAs(MemoryLimiter.ofProcess());
    Limits http2 = ConnectionLimits.of(TransportSettings.OF_CLIENTS).http2();
    Timeouts times = http2.timeouts();
    assertThat(times.keepalive().isOn()).isFalse();
    assertThat(http2.withTimeouts(times.withKeepalive(PingPolicy.NONE).withPings(PingLimits.NONE)))
        .isEqualTo(Limits.DEFAULT);
  }

  @Test
  void serversHaveAKeepaliveAndLimitPings() {
    Timeouts times = ConnectionLimits.of(TransportSettings.OF_SERVERS).http2().timeouts();
    assertThat(times.keepalive())
        .isEqualTo(
            new PingPolicy(
                Duration.ofHours(2).toNanos(),
                Duration.ofSeconds(20).toNanos(),
                PingPolicy.WhenIdle.ASK));
    assertThat(times.pings())
        .isEqualTo(
            new PingLimits(Duration.ofMinutes(5).toNanos(), Duration.ofHours(2).toNanos(), 2));
  }

  @Test
  void eachLimitIsPassedToTheEngine() {
    Limits http2 =
        with(limits ->
                limits
                    .withMaxFrameBytes(20_000)
                    .withMaxConcurrentCallsPerConnection(2)
                    .withCallsPerConnection(3)
                    .withMaxInboundMetadataBytes(4)
                    .withMaxHeaderFields(5)
                    .withMaxContinuationFrames(6)
                    .withHpackTableBytes(7)
                    .withInitialWindows(8, 70_000)
                    .withMaxWindowBytes(9)
                    .withMaxUnreadBytes(10)
                    .withMaxFramesPerPass(11)
                    .withMaxNewCallsPerPass(12)
                    .withMaxUnreadReplies(13, 14)
                    .withHandshakeTimeout(Duration.ofNanos(15))
                    .withHeaderBlockTimeout(Duration.ofNanos(16))
                    .withSettingsAckTimeout(Duration.ofNanos(17))
                    .withStallTimeout(Duration.ofNanos(18)))
            .http2();
    assertThat(http2.maxFrameBytes()).isEqualTo(20_000);
    assertThat(http2.maxConcurrentStreams()).isEqualTo(2);
    assertThat(http2.streamsPerConnection()).isEqualTo(3);
    assertThat(http2.headers()).isEqualTo(new HeaderLimits(4, 5, 6, 7));
    assertThat(http2.windows()).isEqualTo(new WindowLimits(8, 70_000, 9, 10));
    assertThat(http2.work()).isEqualTo(new WorkLimits(11, 12, 13, 14));
    assertThat(http2.timeouts().handshakeNanos()).isEqualTo(15);
    assertThat(http2.timeouts().headerBlockNanos()).isEqualTo(16);
    assertThat(http2.timeouts().settingsAckNanos()).isEqualTo(17);
    assertThat(http2.timeouts().stallNanos()).isEqualTo(18);
    assertThat(with(limits -> limits.withMaxDecompressionRatio(19)).maxDecompressionRatio())
        .isEqualTo(19);
    assertThat(with(limits -> limits.withFlowControlWindows(1 << 16, 1 << 17)).http2().windows())
        .isEqualTo(WindowLimits.ofSize(1 << 16, 1 << 17));
    assertThat(
            with(limits -> limits.withStallTimeout(Duration.ofSeconds(Long.MAX_VALUE)))
                .http2()
                .timeouts()
                .stallNanos())
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void eachOffenceOfTheEngineHasANameForUsersAndARate() {
    assertThat(Arrays.stream(Offence.values()).map(Enum::name))
        .containsExactlyElementsOf(Arrays.stream(AbuseKind.values()).map(Enum::name).toList());
    for (AbuseKind kind : AbuseKind.values()) {
      Offence named = OffenceNames.of(kind);
      assertThat(named).hasToString(kind.name());
      Limits limits = with(it -> it.withOffenceRate(named, 3, 4)).http2();
      assertThat(limits.rate(kind)).isEqualTo(new AbuseKind.Rate(3, 4));
    }
  }

  @Test
  void eachBudgetOfAUserIsOneBudgetOfTheEngine() {
    MemoryBudget memory = MemoryBudget.ofBytes(100_000);
    WorkBudget work = WorkBudget.ofBytesPerSecond(2_000);
    ConnectionLimits one = ConnectionLimits.of(DEFAULT.with(memory).with(work));
    ConnectionLimits other = ConnectionLimits.of(TransportSettings.OF_SERVERS.with(memory));
    assertThat(one.memory()).isSameAs(other.memory());
    assertThat(one.memory().limitBytes()).isEqualTo(memory.limitBytes()).isEqualTo(100_000);
    assertThat(one.work().orElseThrow())
        .isSameAs(ConnectionLimits.of(DEFAULT.with(work)).work().orElseThrow());
    assertThat(one.work().orElseThrow().bytesPerSecond()).isEqualTo(work.bytesPerSecond());
    assertThat(memory.heldBytes()).isZero();
    byte[] array = new InflatedArrays(one.memory()).take(70_000);
    assertThat(memory.heldBytes()).isEqualTo(array.length);
    assertThat(memory).hasToString("MemoryBudget(100000 bytes)");
    assertThat(work).hasToString("WorkBudget(2000 bytes a second)");
    assertThat(MemoryBudget.ofProcess().limitBytes())
        .isEqualTo(MemoryLimiter.ofProcess().limitBytes());
  }

  @Test
  void valuesOutOfRangeAreRefusedAtOnce() {
    TransportLimits limits = TransportLimits.DEFAULT;
    assertThatThrownBy(() -> limits.withMaxFrameBytes(1 << 13))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxFrameBytes must be 16384 to 16777215: 8192");
    assertThatThrownBy(() -> limits.withMaxUnreadReplies(5, 4))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> limits.withHandshakeTimeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> limits.withOffenceRate(Offence.PING, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> MemoryBudget.ofBytes(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> WorkBudget.ofBytesPerSecond(0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
