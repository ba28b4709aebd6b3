package dev.gannet.transport.settings;

import dev.gannet.api.engine.EngineParts;
import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.api.transport.Offence;
import dev.gannet.api.transport.TransportLimits;
import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.AbuseLimits;
import dev.gannet.http2.HeaderLimits;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.WorkLimits;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.memory.MemoryLimiter;
import dev.gannet.transport.memory.WorkRateLimiter;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * The limits of one HTTP/2 connection: a user's {@link TransportSettings} in the terms of the
 * engine, converted once for all connections. Immutable.
 *
 * @param http2 the limits and times of HTTP/2 itself, keepalive and the limit of PINGs included
 * @param age how long a server keeps a connection; clients have no limit
 * @param memory the budget that it shares with other connections
 * @param maxDecompressionRatio the maximum ratio of decompressed to compressed size for messages
 *     over 4 MiB; 1 or more, {@link MessageEncoding#ANY_RATIO} by default
 * @param work the budget of work that connections share; empty for that of the pipe, which is the
 *     process's
 */
public record ConnectionLimits(
    Limits http2,
    ConnectionAge age,
    MemoryLimiter memory,
    int maxDecompressionRatio,
    Optional<WorkRateLimiter> work) {
  /** The limits that follow from these settings. */
  public static ConnectionLimits of(TransportSettings settings) {
    return new ConnectionLimits(
        http2Of(settings),
        settings.age(),
        EngineParts.of(settings.memory(), MemoryLimiter.class, ConnectionLimits::limiterOf),
        settings.limits().maxDecompressionRatio(),
        settings
            .work()
            .map(work ->
                EngineParts.of(
                    work,
                    WorkRateLimiter.class,
                    it -> WorkRateLimiter.ofBytesPerSecond(it.bytesPerSecond()))));
  }

  private static MemoryLimiter limiterOf(MemoryBudget chosen) {
    return chosen == MemoryBudget.ofProcess()
        ? MemoryLimiter.ofProcess()
        : MemoryLimiter.ofBytes(chosen.limitBytes());
  }

  private static Limits http2Of(TransportSettings settings) {
    TransportLimits chosen = settings.limits();
    return new Limits(
        chosen.maxFrameBytes(),
        chosen.maxConcurrentCallsPerConnection(),
        chosen.callsPerConnection(),
        new HeaderLimits(
            chosen.maxInboundMetadataBytes(),
            chosen.maxHeaderFields(),
            chosen.maxContinuationFrames(),
            chosen.hpackTableBytes()),
        new WindowLimits(
            chosen.initialCallWindowBytes(),
            chosen.initialConnectionWindowBytes(),
            chosen.maxWindowBytes(),
            chosen.maxUnreadBytes()),
        new WorkLimits(
            chosen.maxFramesPerPass(),
            chosen.maxNewCallsPerPass(),
            chosen.unreadRepliesBeforePause(),
            chosen.unreadRepliesBeforeClose()),
        abuseOf(chosen),
        Timeouts.DEFAULT
            .withHandshake(chosen.handshakeTimeout())
            .withHeaderBlock(chosen.headerBlockTimeout())
            .withSettingsAck(chosen.settingsAckTimeout())
            .withStall(chosen.stallTimeout())
            .withKeepalive(settings.keepalive().ofHttp2())
            .withPings(settings.pings().ofHttp2()));
  }

  private static AbuseLimits abuseOf(TransportLimits chosen) {
    AbuseLimits limits = AbuseLimits.DEFAULT;
    for (AbuseKind kind : AbuseKind.values()) {
      Offence named = OffenceNames.of(kind);
      OptionalInt atOnce = chosen.offencesAtOnce(named);
      OptionalInt perMinute = chosen.offencesPerMinute(named);
      if (atOnce.isPresent() && perMinute.isPresent()) {
        limits = limits.with(kind, new AbuseKind.Rate(atOnce.getAsInt(), perMinute.getAsInt()));
      }
    }
    return limits;
  }

  /** These limits for one connection of a server, which has an age of its own. */
  public ConnectionLimits jittered(RandomGenerator random) {
    return new ConnectionLimits(http2, age.jittered(random), memory, maxDecompressionRatio, work);
  }

  /** The time for the handshake, including TLS. */
  public long handshakeNanos() {
    return http2.timeouts().handshakeNanos();
  }
}
