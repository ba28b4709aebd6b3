package dev.gannet.server;

import dev.gannet.transport.settings.CallBounds;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;

/**
 * Limits for the calls of one method, or of all methods of a service, that replace those of the
 * server: {@link ServerBuilder#methodLimits}. Immutable; two with the same limits are equal.
 */
public final class MethodLimits {
  /** A limit, with the name of its option and what holds without it. */
  private enum Limit {
    MAX_INBOUND_MESSAGE_BYTES("maxInboundMessageBytes", "the server's"),
    MAX_OUTBOUND_MESSAGE_BYTES("maxOutboundMessageBytes", "the server's"),
    MAX_CALL_DURATION("maxCallDuration", "the server's"),
    DEFAULT_CALL_DURATION("defaultCallDuration", "the server's"),
    MAX_CONCURRENT_CALLS("maxConcurrentCalls", "none");

    private final String label;
    private final String standard;

    Limit(String label, String standard) {
      this.label = label;
      this.standard = standard;
    }
  }

  /** The server's limits hold. */
  public static final MethodLimits OF_SERVER = new MethodLimits(new EnumMap<>(Limit.class));

  /** The values that were set: an {@link Integer} or a {@link Duration}. */
  private final Map<Limit, Object> values;

  private MethodLimits(Map<Limit, Object> values) {
    this.values = values;
  }

  /**
   * Replaces {@link ServerBuilder#maxInboundMessageBytes}.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public MethodLimits withMaxInboundMessageBytes(int bytes) {
    checkBytes(Limit.MAX_INBOUND_MESSAGE_BYTES.label, bytes);
    return with(Limit.MAX_INBOUND_MESSAGE_BYTES, bytes);
  }

  /**
   * Replaces {@link ServerBuilder#maxOutboundMessageBytes}.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public MethodLimits withMaxOutboundMessageBytes(int bytes) {
    checkBytes(Limit.MAX_OUTBOUND_MESSAGE_BYTES.label, bytes);
    return with(Limit.MAX_OUTBOUND_MESSAGE_BYTES, bytes);
  }

  /**
   * Replaces {@link ServerBuilder#maxCallDuration}; {@code ChronoUnit.FOREVER.getDuration()} means
   * no limit.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public MethodLimits withMaxCallDuration(Duration duration) {
    checkDuration(Limit.MAX_CALL_DURATION.label, duration);
    return with(Limit.MAX_CALL_DURATION, duration);
  }

  /**
   * Replaces {@link ServerBuilder#defaultCallDuration}; {@code ChronoUnit.FOREVER.getDuration()}
   * means no limit.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public MethodLimits withDefaultCallDuration(Duration duration) {
    checkDuration(Limit.DEFAULT_CALL_DURATION.label, duration);
    return with(Limit.DEFAULT_CALL_DURATION, duration);
  }

  /**
   * The maximum number of calls of the method in its handler at once, from all connections; the
   * limit of a service holds for each of its methods alone. A further call ends with {@code
   * RESOURCE_EXHAUSTED} instead of starting its handler. A call counts from its handler's start
   * until this has answered or, if the call was cancelled, has returned. {@linkplain
   * ServerBuilder#loadShedding Load shedding} does not see the calls that are refused. No limit by
   * default.
   *
   * <p>Methods with the same {@linkplain dev.gannet.api.MethodDescriptor#fullMethodName full name}
   * have one limit together. So if a {@linkplain ServerBuilder#addFallbackHandlerRegistry registry}
   * replaces a method, the running calls of the old one still count; and if it returns a method for
   * several paths, the calls of all of them do.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public MethodLimits withMaxConcurrentCalls(int calls) {
    if (calls <= 0) {
      throw new IllegalArgumentException("maxConcurrentCalls must be positive: " + calls);
    }
    return with(Limit.MAX_CONCURRENT_CALLS, calls);
  }

  private MethodLimits with(Limit limit, Object value) {
    Map<Limit, Object> changed = new EnumMap<>(values);
    changed.put(limit, value);
    return new MethodLimits(changed);
  }

  /** The maximum size of a request message in bytes after decompression; empty: the server's. */
  public OptionalInt maxInboundMessageBytes() {
    return numberOf(Limit.MAX_INBOUND_MESSAGE_BYTES);
  }

  /** The maximum size of a response message in bytes before compression; empty: the server's. */
  public OptionalInt maxOutboundMessageBytes() {
    return numberOf(Limit.MAX_OUTBOUND_MESSAGE_BYTES);
  }

  /** The maximum duration of a call, whatever its deadline; empty: that of the server. */
  public Optional<Duration> maxCallDuration() {
    return durationOf(Limit.MAX_CALL_DURATION);
  }

  /** The maximum duration of a call without a deadline; empty: that of the server. */
  public Optional<Duration> defaultCallDuration() {
    return durationOf(Limit.DEFAULT_CALL_DURATION);
  }

  /** The maximum number of calls in their handlers at once; empty: no limit. */
  public OptionalInt maxConcurrentCalls() {
    return numberOf(Limit.MAX_CONCURRENT_CALLS);
  }

  private OptionalInt numberOf(Limit limit) {
    return values.get(limit) instanceof Integer number
        ? OptionalInt.of(number)
        : OptionalInt.empty();
  }

  private Optional<Duration> durationOf(Limit limit) {
    return values.get(limit) instanceof Duration duration
        ? Optional.of(duration)
        : Optional.empty();
  }

  /** These limits; missing ones are taken from the service. */
  MethodLimits orElse(MethodLimits ofService) {
    Map<Limit, Object> both = new EnumMap<>(ofService.values);
    both.putAll(values);
    return new MethodLimits(both);
  }

  /** These limits; missing ones are taken from the server. */
  CallBounds over(CallBounds ofServer) {
    return new CallBounds(
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
    if (!Objects.requireNonNull(duration, name).isPositive()) {
      throw new IllegalArgumentException(name + " must be positive: " + duration);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MethodLimits that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    StringJoiner all = new StringJoiner(", ", "MethodLimits(", ")");
    for (Limit limit : Limit.values()) {
      all.add(limit.label + "=" + values.getOrDefault(limit, limit.standard));
    }
    return all.toString();
  }
}
