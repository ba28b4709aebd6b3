package dev.gannet.api.transport;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Limits on what one peer can make this side store, do or wait for on one connection. The same for
 * clients and servers. Immutable; {@code docs/limits.md} describes for each limit what it protects
 * against and what happens beyond it.
 *
 * <p>The builders have options of their own for three of them, which change the same values: {@link
 * #withMaxConcurrentCallsPerConnection}, {@link #withMaxInboundMetadataBytes} and {@link
 * #withFlowControlWindows}. If a limit is set twice, the later value applies.
 *
 * <p>Most are limits of HTTP/2 (RFC 9113 §10.5). Transports without HTTP/2 ignore those.
 */
public final class TransportLimits {
  /** A limit that is one number, with its range and its default. */
  private enum Limit {
    MAX_FRAME_BYTES("maxFrameBytes", 1 << 14, (1 << 24) - 1, 1 << 14),
    MAX_CONCURRENT_CALLS_PER_CONNECTION(
        "maxConcurrentCallsPerConnection", 1, Integer.MAX_VALUE, 256),
    CALLS_PER_CONNECTION("callsPerConnection", 1, 1 << 30, 3 << 28),
    MAX_INBOUND_METADATA_BYTES("maxInboundMetadataBytes", 1, 1 << 24, 8 << 10),
    MAX_HEADER_FIELDS("maxHeaderFields", 1, 1 << 16, 128),
    MAX_CONTINUATION_FRAMES("maxContinuationFrames", 0, 1 << 16, 8),
    HPACK_TABLE_BYTES("hpackTableBytes", 0, 1 << 20, 4 << 10),
    INITIAL_CALL_WINDOW_BYTES("initialCallWindowBytes", 1, Integer.MAX_VALUE, 1 << 20),
    INITIAL_CONNECTION_WINDOW_BYTES(
        "initialConnectionWindowBytes", 65_535, Integer.MAX_VALUE, 1 << 20),
    MAX_WINDOW_BYTES("maxWindowBytes", 0, Integer.MAX_VALUE, 8 << 20),
    MAX_UNREAD_BYTES("maxUnreadBytes", 1, Integer.MAX_VALUE, 4 << 20),
    MAX_DECOMPRESSION_RATIO("maxDecompressionRatio", 1, Integer.MAX_VALUE, Integer.MAX_VALUE),
    MAX_FRAMES_PER_PASS("maxFramesPerPass", 1, Integer.MAX_VALUE, 512),
    MAX_NEW_CALLS_PER_PASS("maxNewCallsPerPass", 1, Integer.MAX_VALUE, 32),
    UNREAD_REPLIES_BEFORE_PAUSE("unreadRepliesBeforePause", 1, Integer.MAX_VALUE, 128),
    UNREAD_REPLIES_BEFORE_CLOSE("unreadRepliesBeforeClose", 1, Integer.MAX_VALUE, 1000),
    HANDSHAKE_NANOS("handshakeTimeout", 1, Long.MAX_VALUE, 10_000_000_000L),
    HEADER_BLOCK_NANOS("headerBlockTimeout", 1, Long.MAX_VALUE, 10_000_000_000L),
    SETTINGS_ACK_NANOS("settingsAckTimeout", 1, Long.MAX_VALUE, 10_000_000_000L),
    STALL_NANOS("stallTimeout", 1, Long.MAX_VALUE, 600_000_000_000L);

    private final String label;
    private final long min;
    private final long max;
    private final long standard;

    Limit(String label, long min, long max, long standard) {
      this.label = label;
      this.min = min;
      this.max = max;
      this.standard = standard;
    }

    String text(long value) {
      return name().endsWith("_NANOS") ? Duration.ofNanos(value).toString() : Long.toString(value);
    }
  }

  /** The rate of an offence. */
  private record Rate(int atOnce, int perMinute) {
    @Override
    public String toString() {
      return atOnce + " at once, " + perMinute + " per minute";
    }
  }

  /** The default limits of channels and servers. */
  public static final TransportLimits DEFAULT =
      new TransportLimits(new EnumMap<>(Limit.class), new EnumMap<>(Offence.class));

  /** The values that were set; a limit without one has its default. */
  private final Map<Limit, Long> values;

  private final Map<Offence, Rate> rates;

  private TransportLimits(Map<Limit, Long> values, Map<Offence, Rate> rates) {
    this.values = values;
    this.rates = rates;
  }

  /**
   * The maximum payload of a received frame (SETTINGS_MAX_FRAME_SIZE), in bytes; 16 KiB by default.
   *
   * @throws IllegalArgumentException if it is not between 16 KiB and 16 MiB - 1
   */
  public TransportLimits withMaxFrameBytes(int bytes) {
    return with(Limit.MAX_FRAME_BYTES, bytes);
  }

  /**
   * The maximum number of concurrent calls of a client on one connection; 256 by default. The same
   * as {@code maxConcurrentCallsPerConnection} of servers.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public TransportLimits withMaxConcurrentCallsPerConnection(int calls) {
    return with(Limit.MAX_CONCURRENT_CALLS_PER_CONNECTION, calls);
  }

  /**
   * The number of calls after which a client opens another connection for the next call; three
   * quarters of 2^30 by default (HTTP/2 allows 2^30). A smaller number makes a client reconnect
   * regularly, which spreads its calls if a proxy balances connections.
   *
   * @throws IllegalArgumentException if it is not between 1 and 2^30
   */
  public TransportLimits withCallsPerConnection(int calls) {
    return with(Limit.CALLS_PER_CONNECTION, calls);
  }

  /**
   * The maximum size of a received header list, in bytes as RFC 9113 §6.5.2 counts them; 8 KiB by
   * default. The same as {@code maxInboundMetadataBytes} of the builders.
   *
   * @throws IllegalArgumentException if it is not between 1 and 16 MiB
   */
  public TransportLimits withMaxInboundMetadataBytes(int bytes) {
    return with(Limit.MAX_INBOUND_METADATA_BYTES, bytes);
  }

  /**
   * The maximum number of fields in a header list, independent of their size; 128 by default.
   *
   * @throws IllegalArgumentException if it is not between 1 and 65,536
   */
  public TransportLimits withMaxHeaderFields(int fields) {
    return with(Limit.MAX_HEADER_FIELDS, fields);
  }

  /**
   * The maximum number of CONTINUATION frames after a HEADERS frame; 8 by default.
   *
   * @throws IllegalArgumentException if it is not between 0 and 65,536
   */
  public TransportLimits withMaxContinuationFrames(int frames) {
    return with(Limit.MAX_CONTINUATION_FRAMES, frames);
  }

  /**
   * The size of HPACK's dynamic table for decoding, and the largest one for encoding, in bytes; 4
   * KiB by default.
   *
   * @throws IllegalArgumentException if it is not between 0 and 1 MiB
   */
  public TransportLimits withHpackTableBytes(int bytes) {
    return with(Limit.HPACK_TABLE_BYTES, bytes);
  }

  /**
   * The initial flow-control windows of a call and of a connection, in bytes: {@link
   * #initialCallWindowBytes} and {@link #initialConnectionWindowBytes}; 1 MiB each by default. Both
   * grow up to {@link #withMaxWindowBytes}.
   *
   * @throws IllegalArgumentException if the first is not positive or the second is below 65,535
   */
  public TransportLimits withInitialWindows(int callBytes, int connectionBytes) {
    return withWindows("initialWindows", callBytes, connectionBytes);
  }

  private TransportLimits withWindows(String option, int callBytes, int connectionBytes) {
    return with(Limit.INITIAL_CALL_WINDOW_BYTES, callBytes, option + ": callBytes")
        .with(Limit.INITIAL_CONNECTION_WINDOW_BYTES, connectionBytes, option + ": connectionBytes");
  }

  /**
   * Windows of a fixed size, which do not grow; four times the window of the connection may be
   * unread.
   *
   * @throws IllegalArgumentException if the first is not positive or the second is below 65,535
   */
  public TransportLimits withFlowControlWindows(int callBytes, int connectionBytes) {
    return withWindows("flowControlWindows", callBytes, connectionBytes)
        .withMaxWindowBytes(0)
        .withMaxUnreadBytes((int) Math.min(Integer.MAX_VALUE, 4L * connectionBytes));
  }

  /**
   * The maximum size to which the windows of calls and connections grow if the bandwidth-delay
   * product requires it, in bytes; 8 MiB by default. Windows do not grow if this is less than their
   * initial size.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public TransportLimits withMaxWindowBytes(int bytes) {
    return with(Limit.MAX_WINDOW_BYTES, bytes);
  }

  /**
   * The maximum size of unread messages of all calls of one connection, in bytes; 4 MiB by default.
   * It grows with the window of the connection.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public TransportLimits withMaxUnreadBytes(int bytes) {
    return with(Limit.MAX_UNREAD_BYTES, bytes);
  }

  /**
   * The maximum ratio of decompressed to compressed size for messages over 4 MiB; no limit by
   * default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public TransportLimits withMaxDecompressionRatio(int ratio) {
    return with(Limit.MAX_DECOMPRESSION_RATIO, ratio);
  }

  /**
   * The number of frames of one connection that are processed before other connections have their
   * turn; 512 by default. After each 64 of them, the turn ends if it has taken 100 microseconds.
   * Long DATA frames do not count.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public TransportLimits withMaxFramesPerPass(int frames) {
    return with(Limit.MAX_FRAMES_PER_PASS, frames);
  }

  /**
   * The number of new calls of one connection that are processed before other connections have
   * their turn; 32 by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public TransportLimits withMaxNewCallsPerPass(int calls) {
    return with(Limit.MAX_NEW_CALLS_PER_PASS, calls);
  }

  /**
   * The number of replies (acknowledgements, resets, header lists) that a peer may leave unread.
   * Beyond the first number ({@link #unreadRepliesBeforePause}) nothing more is read from it;
   * beyond the second ({@link #unreadRepliesBeforeClose}) its connection is closed. 128 and 1,000
   * by default. The second is four times {@link #maxConcurrentCallsPerConnection} if that is more.
   *
   * @throws IllegalArgumentException if the first is not positive, or the second is less
   */
  public TransportLimits withMaxUnreadReplies(int beforePause, int beforeClose) {
    if (beforeClose < beforePause) {
      throw new IllegalArgumentException(
          "maxUnreadReplies: beforeClose must be at least beforePause: "
              + beforeClose
              + " < "
              + beforePause);
    }
    return with(Limit.UNREAD_REPLIES_BEFORE_PAUSE, beforePause, "maxUnreadReplies: beforePause")
        .with(Limit.UNREAD_REPLIES_BEFORE_CLOSE, beforeClose, "maxUnreadReplies: beforeClose");
  }

  /**
   * The time from the open socket to the peer's first SETTINGS, including TLS; 10 s by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public TransportLimits withHandshakeTimeout(Duration timeout) {
    return with(Limit.HANDSHAKE_NANOS, nanosOf(timeout));
  }

  /**
   * The time for one header block, or for one frame other than DATA; 10 s by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public TransportLimits withHeaderBlockTimeout(Duration timeout) {
    return with(Limit.HEADER_BLOCK_NANOS, nanosOf(timeout));
  }

  /**
   * The time for a peer to acknowledge SETTINGS; 10 s by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public TransportLimits withSettingsAckTimeout(Duration timeout) {
    return with(Limit.SETTINGS_ACK_NANOS, nanosOf(timeout));
  }

  /**
   * How long written bytes may wait without any of them leaving; 10 min by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public TransportLimits withStallTimeout(Duration timeout) {
    return with(Limit.STALL_NANOS, nanosOf(timeout));
  }

  /**
   * How often a peer may commit an offence on one connection: the size of the token bucket, and how
   * many tokens are refilled per minute.
   *
   * @throws IllegalArgumentException if a number is not positive
   */
  public TransportLimits withOffenceRate(Offence offence, int atOnce, int perMinute) {
    Objects.requireNonNull(offence, "offence");
    if (atOnce <= 0 || perMinute <= 0) {
      throw new IllegalArgumentException(
          "offenceRate: atOnce and perMinute of "
              + offence
              + " must be positive: "
              + atOnce
              + ", "
              + perMinute);
    }
    Map<Offence, Rate> changed = new EnumMap<>(Offence.class);
    changed.putAll(rates);
    changed.put(offence, new Rate(atOnce, perMinute));
    return new TransportLimits(values, changed);
  }

  private TransportLimits with(Limit limit, long value) {
    return with(limit, value, limit.label);
  }

  /** Sets a limit; messages call it by the name of its option. */
  private TransportLimits with(Limit limit, long value, String option) {
    if (value < limit.min || value > limit.max) {
      throw new IllegalArgumentException(
          option + " must be " + limit.min + " to " + limit.max + ": " + value);
    }
    Map<Limit, Long> changed = new EnumMap<>(values);
    changed.put(limit, value);
    return new TransportLimits(changed, rates);
  }

  /** The duration in nanoseconds; at most 292 years, which means forever. */
  private static long nanosOf(Duration duration) {
    return TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(duration, "timeout"));
  }

  private long longOf(Limit limit) {
    Long value = values.get(limit);
    return value == null ? limit.standard : value;
  }

  private int intOf(Limit limit) {
    return (int) longOf(limit);
  }

  private Duration durationOf(Limit limit) {
    return Duration.ofNanos(longOf(limit));
  }

  /** {@link #withMaxFrameBytes}, in bytes; 16 KiB by default. */
  public int maxFrameBytes() {
    return intOf(Limit.MAX_FRAME_BYTES);
  }

  /** {@link #withMaxConcurrentCallsPerConnection}; 256 by default. */
  public int maxConcurrentCallsPerConnection() {
    return intOf(Limit.MAX_CONCURRENT_CALLS_PER_CONNECTION);
  }

  /**
   * Whether {@link #withMaxConcurrentCallsPerConnection} was called, even with the default value.
   * In-process connections have no limit otherwise.
   */
  public boolean isMaxConcurrentCallsPerConnectionSet() {
    return values.containsKey(Limit.MAX_CONCURRENT_CALLS_PER_CONNECTION);
  }

  /** {@link #withCallsPerConnection}; three quarters of 2^30 by default. */
  public int callsPerConnection() {
    return intOf(Limit.CALLS_PER_CONNECTION);
  }

  /** {@link #withMaxInboundMetadataBytes}, in bytes; 8 KiB by default. */
  public int maxInboundMetadataBytes() {
    return intOf(Limit.MAX_INBOUND_METADATA_BYTES);
  }

  /** {@link #withMaxHeaderFields}; 128 by default. */
  public int maxHeaderFields() {
    return intOf(Limit.MAX_HEADER_FIELDS);
  }

  /** {@link #withMaxContinuationFrames}; 8 by default. */
  public int maxContinuationFrames() {
    return intOf(Limit.MAX_CONTINUATION_FRAMES);
  }

  /** {@link #withHpackTableBytes}, in bytes; 4 KiB by default. */
  public int hpackTableBytes() {
    return intOf(Limit.HPACK_TABLE_BYTES);
  }

  /** The first window of {@link #withInitialWindows}, in bytes; 1 MiB by default. */
  public int initialCallWindowBytes() {
    return intOf(Limit.INITIAL_CALL_WINDOW_BYTES);
  }

  /** The second window of {@link #withInitialWindows}, in bytes; 1 MiB by default. */
  public int initialConnectionWindowBytes() {
    return intOf(Limit.INITIAL_CONNECTION_WINDOW_BYTES);
  }

  /**
   * {@link #withMaxWindowBytes}, in bytes; 8 MiB by default, 0 with {@link
   * #withFlowControlWindows}.
   */
  public int maxWindowBytes() {
    return intOf(Limit.MAX_WINDOW_BYTES);
  }

  /** {@link #withMaxUnreadBytes}, in bytes; 4 MiB by default. */
  public int maxUnreadBytes() {
    return intOf(Limit.MAX_UNREAD_BYTES);
  }

  /** {@link #withMaxDecompressionRatio}; {@link Integer#MAX_VALUE}, the default, is no limit. */
  public int maxDecompressionRatio() {
    return intOf(Limit.MAX_DECOMPRESSION_RATIO);
  }

  /** {@link #withMaxFramesPerPass}; 512 by default. */
  public int maxFramesPerPass() {
    return intOf(Limit.MAX_FRAMES_PER_PASS);
  }

  /** {@link #withMaxNewCallsPerPass}; 32 by default. */
  public int maxNewCallsPerPass() {
    return intOf(Limit.MAX_NEW_CALLS_PER_PASS);
  }

  /** The first number of {@link #withMaxUnreadReplies}; 128 by default. */
  public int unreadRepliesBeforePause() {
    return intOf(Limit.UNREAD_REPLIES_BEFORE_PAUSE);
  }

  /** The second number of {@link #withMaxUnreadReplies}; 1,000 by default. */
  public int unreadRepliesBeforeClose() {
    return intOf(Limit.UNREAD_REPLIES_BEFORE_CLOSE);
  }

  /** {@link #withHandshakeTimeout}; 10 s by default. */
  public Duration handshakeTimeout() {
    return durationOf(Limit.HANDSHAKE_NANOS);
  }

  /** {@link #withHeaderBlockTimeout}; 10 s by default. */
  public Duration headerBlockTimeout() {
    return durationOf(Limit.HEADER_BLOCK_NANOS);
  }

  /** {@link #withSettingsAckTimeout}; 10 s by default. */
  public Duration settingsAckTimeout() {
    return durationOf(Limit.SETTINGS_ACK_NANOS);
  }

  /** {@link #withStallTimeout}; 10 min by default. */
  public Duration stallTimeout() {
    return durationOf(Limit.STALL_NANOS);
  }

  /** The size of the offence's token bucket; empty for the default. */
  public OptionalInt offencesAtOnce(Offence offence) {
    Rate rate = rates.get(offence);
    return rate == null ? OptionalInt.empty() : OptionalInt.of(rate.atOnce());
  }

  /** The number of tokens that are refilled per minute; empty for the default. */
  public OptionalInt offencesPerMinute(Offence offence) {
    Rate rate = rates.get(offence);
    return rate == null ? OptionalInt.empty() : OptionalInt.of(rate.perMinute());
  }

  /** Whether the same limits were set to the same values. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TransportLimits that
        && values.equals(that.values)
        && rates.equals(that.rates);
  }

  @Override
  public int hashCode() {
    return Objects.hash(values, rates);
  }

  /** The limits that were set. */
  @Override
  public String toString() {
    StringJoiner set = new StringJoiner(", ", "TransportLimits[", "]");
    values.forEach((limit, value) -> set.add(limit.label + "=" + limit.text(value)));
    rates.forEach((offence, rate) -> set.add(offence + "=" + rate));
    return set.toString();
  }
}
