package dev.gannet.server;

import dev.gannet.api.Preview;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.Status;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Refuses calls that a server cannot serve in time, instead of serving all of them late. Off unless
 * {@link ServerBuilder#loadShedding} enables it.
 *
 * <p><b>Unary calls</b> have an adaptive limit: the number of calls in handlers is limited, and the
 * limit is learned from their latency. It grows while the latency is as low as with few concurrent
 * calls, and shrinks while it is higher. A call is counted from the time when its request is
 * complete until its handler has answered, or has returned if the call was cancelled. So a client
 * that sends slowly occupies no place. While calls are refused, only a quarter is admitted for a
 * moment every four seconds, to measure the latency of calls that do not wait for others. The same
 * happens when the first call comes: until ten calls have ended, but for a second at most, the
 * limit is a quarter of the initial limit, and at least three calls. Later it takes up to twice the
 * latency of the slowest method, if that is more than a second, but 20 s at most, and the time
 * until the next measurement is four times as long or more.
 *
 * <p><b>Streaming calls</b> last as long as their clients like, so nothing is learned from them;
 * they are counted separately and have a fixed limit, none by default.
 *
 * <p>Some calls are exempt: they are neither counted nor refused. These are the calls of methods
 * that say so ({@link ServerMethodDefinition#withoutLoadShedding}), as those of health checks and
 * load reports do, and the calls of the services of {@link #withExempt}.
 *
 * <p>A call above its limit ends at once with the configured status and the trailer {@code
 * grpc-retry-pushback-ms}, and its handler does not run. A unary call ends with {@code
 * DEADLINE_EXCEEDED} if the time until its deadline is less than half of its method's normal
 * latency. If no call of the method has ended for a second, one starts all the same, to measure
 * that latency anew.
 *
 * <p>Immutable.
 */
@Preview(until = "0.3")
public final class LoadShedding {
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  /** The counts of a running server. Immutable; only created by Gannet. */
  public static final class Snapshot {
    /** The counts. */
    record Counts(
        int limit,
        int callsUnderWay,
        long callsRefused,
        int streamsUnderWay,
        long streamsRefused) {}

    private final Counts counts;

    Snapshot(Counts counts) {
      this.counts = counts;
    }

    /** The current limit of unary calls in handlers. */
    public int limit() {
      return counts.limit;
    }

    /** The current number of unary calls in handlers. */
    public int callsUnderWay() {
      return counts.callsUnderWay;
    }

    /** The number of unary calls refused since the server started. */
    public long callsRefused() {
      return counts.callsRefused;
    }

    /** The current number of streaming calls in handlers. */
    public int streamsUnderWay() {
      return counts.streamsUnderWay;
    }

    /** The number of streaming calls refused since the server started. */
    public long streamsRefused() {
      return counts.streamsRefused;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Snapshot that && counts.equals(that.counts);
    }

    @Override
    public int hashCode() {
      return counts.hashCode();
    }

    @Override
    public String toString() {
      return "Snapshot" + counts.toString().substring("Counts".length());
    }
  }

  /** The values of one instance; only written during construction. */
  private static final class Values {
    private int initialLimit = 20;
    private int maxLimit = 100_000;
    private int maxStreams = NO_LIMIT;
    private Status.Code status = Status.Code.RESOURCE_EXHAUSTED;
    private Duration pushback = Duration.ofMillis(100);
    private Set<String> exempt = Set.of();

    Values() {}

    Values(Values other) {
      initialLimit = other.initialLimit;
      maxLimit = other.maxLimit;
      maxStreams = other.maxStreams;
      status = other.status;
      pushback = other.pushback;
      exempt = other.exempt;
    }

    List<Object> all() {
      return List.of(initialLimit, maxLimit, maxStreams, status, pushback, exempt);
    }
  }

  private final Values values;

  private LoadShedding(Values values) {
    this.values = values;
  }

  /**
   * Starts with a limit of 20 calls, of which a quarter is admitted at first, and learns the limit;
   * refuses with {@code RESOURCE_EXHAUSTED} and asks clients to wait 100 ms.
   */
  public static LoadShedding adaptive() {
    return new LoadShedding(new Values());
  }

  /**
   * The initial limit of unary calls; 20 by default. It holds as soon as the latency of the first
   * calls has been measured; until then, a quarter of it is admitted, and at least three calls.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public LoadShedding withInitialLimit(int calls) {
    requirePositive("initialLimit", calls);
    return with(it -> it.initialLimit = calls);
  }

  /**
   * The maximum of the limit of unary calls; 100,000 by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public LoadShedding withMaxLimit(int calls) {
    requirePositive("maxLimit", calls);
    return with(it -> it.maxLimit = calls);
  }

  /**
   * The maximum number of calls of all other kinds in handlers; no limit by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public LoadShedding withMaxStreams(int streams) {
    requirePositive("maxStreams", streams);
    return with(it -> it.maxStreams = streams);
  }

  /**
   * The status of refused calls: {@code RESOURCE_EXHAUSTED}, the default, or {@code UNAVAILABLE},
   * which more clients retry by default.
   *
   * @throws IllegalArgumentException if it is another code
   */
  public LoadShedding withStatus(Status.Code code) {
    if (code != Status.Code.RESOURCE_EXHAUSTED && code != Status.Code.UNAVAILABLE) {
      throw new IllegalArgumentException(
          "the status of refused calls must be RESOURCE_EXHAUSTED or UNAVAILABLE: " + code);
    }
    return with(it -> it.status = code);
  }

  /**
   * How long clients that retry are asked to wait, in whole milliseconds ({@code
   * grpc-retry-pushback-ms}, gRFC A6); 100 ms by default.
   *
   * @throws IllegalArgumentException if it is negative or longer than a day
   */
  public LoadShedding withPushback(Duration wait) {
    Objects.requireNonNull(wait, "wait");
    if (wait.isNegative() || wait.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException("the pushback must be from 0 to a day: " + wait);
    }
    return with(it -> it.pushback = wait);
  }

  /**
   * Exempts these services, too, besides those of earlier calls of this method and the methods that
   * are {@linkplain ServerMethodDefinition#withoutLoadShedding exempt by themselves}: for calls
   * that a server must answer however busy it is, if their service does not say so. Names of
   * services that a server does not have change nothing.
   *
   * @param services full names: {@code package.Service}
   * @throws IllegalArgumentException if a name is empty, or that of a method
   */
  public LoadShedding withExempt(String... services) {
    Set<String> all = new TreeSet<>(values.exempt);
    for (String service : Objects.requireNonNull(services, "services")) {
      if (service.isEmpty() || service.contains("/")) {
        throw new IllegalArgumentException(
            "withExempt takes full names of services (package.Service): \"" + service + "\"");
      }
      all.add(service);
    }
    return with(it -> it.exempt = Collections.unmodifiableSet(all));
  }

  private LoadShedding with(Consumer<Values> change) {
    Values changed = new Values(values);
    change.accept(changed);
    return new LoadShedding(changed);
  }

  private static void requirePositive(String name, int value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be positive: " + value);
    }
  }

  /** The initial limit of unary calls; never more than {@link #maxLimit}. */
  public int initialLimit() {
    return Math.min(values.initialLimit, values.maxLimit);
  }

  /** The maximum of the limit of unary calls. */
  public int maxLimit() {
    return values.maxLimit;
  }

  /** The maximum number of calls of all other kinds in handlers; empty if there is no limit. */
  public OptionalInt maxStreams() {
    return values.maxStreams == NO_LIMIT ? OptionalInt.empty() : OptionalInt.of(values.maxStreams);
  }

  /** The status of refused calls. */
  public Status.Code status() {
    return values.status;
  }

  /** How long clients that retry are asked to wait. */
  public Duration pushback() {
    return values.pushback;
  }

  /** The full names of the services of {@link #withExempt}; none by default. */
  public Set<String> exempt() {
    return values.exempt;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LoadShedding that && values.all().equals(that.values.all());
  }

  @Override
  public int hashCode() {
    return values.all().hashCode();
  }

  @Override
  public String toString() {
    return "LoadShedding[initialLimit="
        + values.initialLimit
        + ", maxLimit="
        + values.maxLimit
        + ", maxStreams="
        + (values.maxStreams == NO_LIMIT ? "unlimited" : values.maxStreams)
        + ", status="
        + values.status
        + ", pushback="
        + values.pushback
        + ", exempt="
        + new TreeSet<>(values.exempt)
        + "]";
  }
}
