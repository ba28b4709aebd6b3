package dev.gannet.server;

import dev.gannet.transport.settings.CallLimits;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Limits for the calls of one method, or of all methods of a service, that replace those of the
 * server: {@link ServerBuilder#methodLimits}. Immutable; two with the same limits are equal.
 */
public final class MethodLimits {
  /** The server's limits hold. */
  public static final MethodLimits OF_SERVER = new MethodLimits(null, null, null, null, null);

  private final @Nullable Integer maxInboundMessageBytes;
  private final @Nullable Integer maxOutboundMessageBytes;
  private final @Nullable Duration maxCallDuration;
  private final @Nullable Duration defaultCallDuration;
  private final @Nullable Integer maxConcurrentCalls;

  private MethodLimits(
      @Nullable Integer maxInboundMessageBytes,
      @Nullable Integer maxOutboundMessageBytes,
      @Nullable Duration maxCallDuration,
      @Nullable Duration defaultCallDuration,
      @Nullable Integer maxConcurrentCalls) {
    this.maxInboundMessageBytes = maxInboundMessageBytes;
    this.maxOutboundMessageBytes = maxOutboundMessageBytes;
    this.maxCallDuration = maxCallDuration;
    this.defaultCallDuration = defaultCallDuration;
    this.maxConcurrentCalls = maxConcurrentCalls;
  }

  /**
   * Replaces {@link ServerBuilder#maxInboundMessageBytes}.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public MethodLimits withMaxInboundMessageBytes(int bytes) {
    checkBytes("maxInboundMessageBytes", bytes);
    return new MethodLimits(
        bytes, maxOutboundMessageBytes, maxCallDuration, defaultCallDuration, maxConcurrentCalls);
  }

  /**
   * Replaces {@link ServerBuilder#maxOutboundMessageBytes}.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public MethodLimits withMaxOutboundMessageBytes(int bytes) {
    checkBytes("maxOutboundMessageBytes", bytes);
    return new MethodLimits(
        maxInboundMessageBytes, bytes, maxCallDuration, defaultCallDuration, maxConcurrentCalls);
  }

  /**
   * Replaces {@link ServerBuilder#maxCallDuration}; {@code ChronoUnit.FOREVER.getDuration()} means
   * no limit.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public MethodLimits withMaxCallDuration(Duration duration) {
    checkDuration("maxCallDuration", duration);
    return new MethodLimits(
        maxInboundMessageBytes,
        maxOutboundMessageBytes,
        duration,
        defaultCallDuration,
        maxConcurrentCalls);
  }

  /**
   * Replaces {@link ServerBuilder#defaultCallDuration}; {@code ChronoUnit.FOREVER.getDuration()}
   * means no limit.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public MethodLimits withDefaultCallDuration(Duration duration) {
    checkDuration("defaultCallDuration", duration);
    return new MethodLimits(
        maxInboundMessageBytes,
        maxOutboundMessageBytes,
        maxCallDuration,
        duration,
        maxConcurrentCalls);
  }

  /**
   * The maximum number of calls of the method in its handler at once, from all connections; the
   * limit of a service holds for each of its methods alone. A further call ends with {@code
   * RESOURCE_EXHAUSTED} instead of starting its handler. A call counts from its handler's start
   * until this has answered or, if the call was cancelled, has returned. {@linkplain
   * ServerBuilder#loadShedding Load shedding} does not see the calls that are refused. No limit by
   * default.
   *
   * <p>If a {@linkplain ServerBuilder#fallbackHandlerRegistry registry} replaces a method, calls of
   * the new one are counted from 0.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public MethodLimits withMaxConcurrentCalls(int calls) {
    if (calls <= 0) {
      throw new IllegalArgumentException("maxConcurrentCalls must be positive: " + calls);
    }
    return new MethodLimits(
        maxInboundMessageBytes,
        maxOutboundMessageBytes,
        maxCallDuration,
        defaultCallDuration,
        calls);
  }

  /** The maximum size of a request message in bytes after decompression; empty: the server's. */
  public OptionalInt maxInboundMessageBytes() {
    return optional(maxInboundMessageBytes);
  }

  /** The maximum size of a response message in bytes before compression; empty: the server's. */
  public OptionalInt maxOutboundMessageBytes() {
    return optional(maxOutboundMessageBytes);
  }

  /** The maximum duration of a call, whatever its deadline; empty: that of the server. */
  public Optional<Duration> maxCallDuration() {
    return Optional.ofNullable(maxCallDuration);
  }

  /** The maximum duration of a call without a deadline; empty: that of the server. */
  public Optional<Duration> defaultCallDuration() {
    return Optional.ofNullable(defaultCallDuration);
  }

  /** The maximum number of calls in their handlers at once; empty: no limit. */
  public OptionalInt maxConcurrentCalls() {
    return optional(maxConcurrentCalls);
  }

  private static OptionalInt optional(@Nullable Integer limit) {
    return limit == null ? OptionalInt.empty() : OptionalInt.of(limit);
  }

  /** These limits; missing ones are taken from the service. */
  MethodLimits orElse(MethodLimits ofService) {
    return new MethodLimits(
        maxInboundMessageBytes == null ? ofService.maxInboundMessageBytes : maxInboundMessageBytes,
        maxOutboundMessageBytes == null
            ? ofService.maxOutboundMessageBytes
            : maxOutboundMessageBytes,
        maxCallDuration == null ? ofService.maxCallDuration : maxCallDuration,
        defaultCallDuration == null ? ofService.defaultCallDuration : defaultCallDuration,
        maxConcurrentCalls == null ? ofService.maxConcurrentCalls : maxConcurrentCalls);
  }

  /** These limits; missing ones are taken from the server. */
  CallLimits over(CallLimits ofServer) {
    return new CallLimits(
        maxInboundMessageBytes().orElse(ofServer.maxInboundMessageBytes()),
        maxOutboundMessageBytes().orElse(ofServer.maxOutboundMessageBytes()),
        maxCallDuration().map(TimeUnit.NANOSECONDS::convert).orElse(ofServer.maxCallNanos()),
        defaultCallDuration()
            .map(TimeUnit.NANOSECONDS::convert)
            .orElse(ofServer.defaultCallNanos()));
  }

  static void checkBytes(String name, int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(name + " cannot be negative: " + bytes);
    }
  }

  static void checkDuration(String name, Duration duration) {
    if (!duration.isPositive()) {
      throw new IllegalArgumentException(name + " must be positive: " + duration);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MethodLimits that
        && Objects.equals(maxInboundMessageBytes, that.maxInboundMessageBytes)
        && Objects.equals(maxOutboundMessageBytes, that.maxOutboundMessageBytes)
        && Objects.equals(maxCallDuration, that.maxCallDuration)
        && Objects.equals(defaultCallDuration, that.defaultCallDuration)
        && Objects.equals(maxConcurrentCalls, that.maxConcurrentCalls);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        maxInboundMessageBytes,
        maxOutboundMessageBytes,
        maxCallDuration,
        defaultCallDuration,
        maxConcurrentCalls);
  }

  @Override
  public String toString() {
    return "MethodLimits("
        + "maxInboundMessageBytes="
        + text(maxInboundMessageBytes)
        + ", maxOutboundMessageBytes="
        + text(maxOutboundMessageBytes)
        + ", maxCallDuration="
        + text(maxCallDuration)
        + ", defaultCallDuration="
        + text(defaultCallDuration)
        + ", maxConcurrentCalls="
        + (maxConcurrentCalls == null ? "none" : maxConcurrentCalls)
        + ")";
  }

  private static String text(@Nullable Object limit) {
    return limit == null ? "the server's" : limit.toString();
  }
}
