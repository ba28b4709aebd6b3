package dev.gannet.suites.storm;

import dev.gannet.api.Dispatch;
import dev.gannet.api.transport.TransportLimits;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.ServerBuilder;
import dev.gannet.suites.SimulatedWire;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * What the wires, servers and channels of a storm are like.
 *
 * @param concurrentCalls how many calls a server takes at once on a connection
 * @param age when a server asks for signs of life and sends its clients elsewhere
 */
record StormSettings(
    SimulatedWire wire,
    int concurrentCalls,
    Windows serversWindows,
    Windows channelsWindows,
    Age age) {
  /** Room for data on a call and on a connection; as by default where 0. */
  record Windows(int callBytes, int connectionBytes) {
    private static final int SMALLEST_CONNECTION_BYTES = 65_535;

    static Windows random(Odds odds) {
      return switch (odds.below(8)) {
        case 0 -> new Windows(1 << (8 + odds.below(8)), SMALLEST_CONNECTION_BYTES);
        case 1 -> new Windows(300 + odds.below(3000), SMALLEST_CONNECTION_BYTES);
        case 2 -> new Windows(20_000 + odds.below(100_000), 65_535 + odds.below(50_000));
        case 3 -> new Windows(1 << 20, SMALLEST_CONNECTION_BYTES);
        default -> new Windows(0, 0);
      };
    }

    boolean isDefault() {
      return callBytes == 0;
    }

    TransportLimits applyTo(TransportLimits limits) {
      return limits.withFlowControlWindows(callBytes, connectionBytes);
    }
  }

  /** How a server treats its connections as time passes. */
  enum Age {
    /** As by default: no signs of life for two hours, no limits of age. */
    TIMELESS,
    ASKS_FOR_SIGNS_OF_LIFE,
    CLOSES_IDLE_ONES,
    /** Calls of old connections may run to their end. */
    REPLACES_OLD_ONES,
    /** Calls of old connections have little time. */
    ENDS_OLD_ONES
  }

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration SHORT = Duration.ofMillis(300);

  /**
   * As chance has it.
   *
   * @param reconnectsAtOnce whether channels replace connections that servers close: for as long as
   *     a storm lasts, so that few of these close any
   */
  static StormSettings random(Odds odds, boolean reconnectsAtOnce) {
    return new StormSettings(
        wire(odds),
        odds.oneOf(List.of(1, 2, 5, 100, 100)),
        Windows.random(odds),
        Windows.random(odds),
        odds.oneIn(reconnectsAtOnce ? 32 : 4) ? odds.oneOf(Age.values()) : Age.TIMELESS);
  }

  private static SimulatedWire wire(Odds odds) {
    SimulatedWire wire =
        switch (odds.below(6)) {
          case 0, 1 -> SimulatedWire.INSTANT;
          case 2 -> SimulatedWire.ROUGH.withLatency(Duration.ZERO, Duration.ofMillis(80));
          default -> SimulatedWire.ROUGH;
        };
    return wire.withCapacityBytes(1 << (8 + odds.below(11)));
  }

  /**
   * Whether servers end none of this many calls because a connection is old, idle or gives no signs
   * of life.
   */
  boolean isPatient(int calls) {
    return switch (age) {
      case TIMELESS -> true;
      case ASKS_FOR_SIGNS_OF_LIFE, ENDS_OLD_ONES -> false;
      // Calls that wait at their client for a free stream go down with the connection.
      case CLOSES_IDLE_ONES, REPLACES_OLD_ONES -> calls <= concurrentCalls;
    };
  }

  ServerBuilder applyTo(ServerBuilder builder, Dispatch dispatch) {
    builder.dispatch(dispatch).maxConcurrentCallsPerConnection(concurrentCalls);
    if (!serversWindows.isDefault()) {
      builder.transportLimits(serversWindows::applyTo);
    }
    return switch (age) {
      case TIMELESS -> builder.keepAliveTime(ChronoUnit.FOREVER.getDuration());
      case ASKS_FOR_SIGNS_OF_LIFE -> builder.keepAliveTime(SECOND).keepAliveTimeout(SHORT);
      case CLOSES_IDLE_ONES -> builder.maxConnectionIdle(SECOND);
      case REPLACES_OLD_ONES -> builder.maxConnectionAge(SECOND);
      case ENDS_OLD_ONES -> builder.maxConnectionAge(SECOND).maxConnectionAgeGrace(SHORT);
    };
  }

  ManagedChannelBuilder applyTo(ManagedChannelBuilder builder) {
    return channelsWindows.isDefault()
        ? builder
        : builder.transportLimits(channelsWindows::applyTo);
  }

  @Override
  public String toString() {
    return "%d calls a connection, windows %s and %s, %s"
        .formatted(concurrentCalls, serversWindows, channelsWindows, age);
  }
}
