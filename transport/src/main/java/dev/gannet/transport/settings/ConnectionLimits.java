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
import java.util.function.UnaryOperator;

/**
 * The limits and times of an engine for one peer on one connection.
 *
 * @param http2 the limits of HTTP/2 itself; their keepalive and their limit of PINGs are set here,
 *     from {@code keepAlive} and {@code pings}
 * @param keepAlive when a PING is sent to a silent peer
 * @param pings how often a peer may send one
 * @param age how long a server keeps a connection; clients have no limit
 * @param memory the budget that it shares with other connections
 * @param maxDecompressionRatio the maximum ratio of decompressed to compressed size for messages
 *     over 4 MiB; 1 or more, {@link MessageEncoding#ANY_RATIO} by default
 * @param work the budget of work that connections share; empty for that of the pipe, which is the
 *     process's
 */
public record ConnectionLimits(
    Limits http2,
    KeepAliveOptions keepAlive,
    PingPermit pings,
    ConnectionAge age,
    MemoryLimiter memory,
    int maxDecompressionRatio,
    Optional<WorkRateLimiter> work) {
  /** The limits of {@link Limits#DEFAULT}, no keepalive, and the memory budget of the process. */
  public static final ConnectionLimits OF_CLIENTS =
      new ConnectionLimits(
          Limits.DEFAULT,
          KeepAliveOptions.OF_CLIENTS,
          PingPermit.OF_CLIENTS,
          ConnectionAge.UNLIMITED,
          MemoryLimiter.ofProcess(),
          MessageEncoding.ANY_RATIO,
          Optional.empty());

  /** The same with gRPC's keepalive and its enforcement. */
  public static final ConnectionLimits OF_SERVERS =
      OF_CLIENTS.with(KeepAliveOptions.OF_SERVERS).with(PingPermit.OF_SERVERS);

  /**
   * Adds keepalive and PING limits to the times of HTTP/2: once, and not for each connection.
   *
   * @throws IllegalArgumentException if the ratio is not positive
   */
  public ConnectionLimits {
    if (maxDecompressionRatio <= 0) {
      throw new IllegalArgumentException(
          "maxDecompressionRatio must be positive: " + maxDecompressionRatio);
    }
    http2 =
        http2.withTimeouts(
            http2.timeouts().withKeepalive(keepAlive.ofHttp2()).withPings(pings.ofHttp2()));
  }

  /** Converts the users' settings for HTTP/2. */
  public static ConnectionLimits of(TransportSettings settings) {
    return new ConnectionLimits(
        http2Of(settings.limits()),
        settings.keepAlive(),
        settings.pings(),
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

  private static Limits http2Of(TransportLimits chosen) {
    return new Limits(
        chosen.maxFrameBytes(),
        chosen.maxConcurrentCalls(),
        chosen.callsPerConnection(),
        new HeaderLimits(
            chosen.maxInboundMetadataBytes(),
            chosen.maxHeaderFields(),
            chosen.maxContinuationFrames(),
            chosen.hpackTableBytes()),
        new WindowLimits(
            chosen.firstCallWindowBytes(),
            chosen.firstConnectionWindowBytes(),
            chosen.maxWindowBytes(),
            chosen.maxUnreadBytes()),
        new WorkLimits(
            chosen.maxFramesPerPass(),
            chosen.maxNewCallsPerPass(),
            chosen.repliesBeforePause(),
            chosen.repliesBeforeClose()),
        abuseOf(chosen),
        Timeouts.DEFAULT
            .withHandshake(chosen.handshakeTimeout())
            .withHeaderBlock(chosen.headerBlockTimeout())
            .withSettingsAck(chosen.settingsAckTimeout())
            .withStall(chosen.stallTimeout()));
  }

  private static AbuseLimits abuseOf(TransportLimits chosen) {
    AbuseLimits limits = AbuseLimits.DEFAULT;
    for (AbuseKind kind : AbuseKind.values()) {
      Offence named = Offence.valueOf(kind.name());
      OptionalInt atOnce = chosen.offencesAtOnce(named);
      OptionalInt perMinute = chosen.offencesPerMinute(named);
      if (atOnce.isPresent() && perMinute.isPresent()) {
        limits = limits.with(kind, new AbuseKind.Rate(atOnce.getAsInt(), perMinute.getAsInt()));
      }
    }
    return limits;
  }

  /**
   * Changes the limits of HTTP/2: {@code withHttp2(http2 -> http2.withMaxFrameBytes(1 << 20))}.
   *
   * @throws IllegalArgumentException if a limit is outside its range
   */
  public ConnectionLimits withHttp2(UnaryOperator<Limits> change) {
    return new ConnectionLimits(
        change.apply(http2), keepAlive, pings, age, memory, maxDecompressionRatio, work);
  }

  /** Sets the keepalive. */
  public ConnectionLimits with(KeepAliveOptions other) {
    return new ConnectionLimits(http2, other, pings, age, memory, maxDecompressionRatio, work);
  }

  /** Sets the limit of PINGs. */
  public ConnectionLimits with(PingPermit other) {
    return new ConnectionLimits(http2, keepAlive, other, age, memory, maxDecompressionRatio, work);
  }

  /** Sets the age. */
  public ConnectionLimits with(ConnectionAge other) {
    return new ConnectionLimits(
        http2, keepAlive, pings, other, memory, maxDecompressionRatio, work);
  }

  /** The time for the handshake, including TLS. */
  public long handshakeNanos() {
    return http2.timeouts().handshakeNanos();
  }
}
