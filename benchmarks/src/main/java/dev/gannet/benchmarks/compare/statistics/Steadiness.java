package dev.gannet.benchmarks.compare.statistics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether a contender is warm: it must have made a number of calls in some time, which the JIT
 * compiler needs however fast the calls are, or have called for a longer time; then the rates of
 * two consecutive rounds must be similar, or the maximum number of rounds is reached.
 *
 * <pre>
 *   HEATING ──calls or time──► SETTLING ──two rates alike, or rounds used up──► WARM
 * </pre>
 */
public final class Steadiness {
  private enum State {
    HEATING,
    SETTLING,
    WARM
  }

  private static final double ALIKE = 0.05;

  private final long callsLeastWanted;
  private final Duration shortest;
  private final Duration longest;
  private final int mostSettlingRounds;
  private State state = State.HEATING;
  private long calls;
  private Duration time = Duration.ZERO;
  private double lastRate;
  private int settlingRounds;
  private boolean steady;

  /**
   * The state of a contender before its first call.
   *
   * @param callsLeastWanted the number of calls after which it counts as warm
   * @param shortest the time before which it does not count as warm, if its calls are fast
   * @param longest the time after which it counts as warm, if its calls are slow
   */
  public Steadiness(
      long callsLeastWanted, Duration shortest, Duration longest, int mostSettlingRounds) {
    this.callsLeastWanted = callsLeastWanted;
    this.shortest = shortest;
    this.longest = longest;
    this.mostSettlingRounds = mostSettlingRounds;
  }

  /** Another round has ended. */
  public void passed(long roundCalls, Duration roundTime) {
    double rate = roundCalls / (double) roundTime.toNanos();
    calls += roundCalls;
    time = time.plus(roundTime);
    state =
        switch (state) {
          case HEATING -> isHot() ? State.SETTLING : State.HEATING;
          case SETTLING, WARM -> isSettled(rate) ? State.WARM : State.SETTLING;
        };
    if (state == State.SETTLING && mostSettlingRounds == 0) {
      state = State.WARM;
    }
    lastRate = rate;
  }

  private boolean isHot() {
    return (calls >= callsLeastWanted && time.compareTo(shortest) >= 0)
        || time.compareTo(longest) >= 0;
  }

  private boolean isSettled(double rate) {
    settlingRounds++;
    steady = Math.abs(rate - lastRate) < ALIKE * Math.max(rate, lastRate);
    return steady || settlingRounds >= mostSettlingRounds;
  }

  /** Whether rounds may be measured from now on. */
  public boolean isWarm() {
    return state == State.WARM;
  }

  /**
   * Why a contender counts as warm although it did not meet all conditions, if so; otherwise empty.
   */
  public Optional<String> reservation() {
    List<String> wants = new ArrayList<>();
    if (calls < callsLeastWanted) {
      wants.add(
          String.format(
              Locale.ROOT, "warm after %,d calls instead of %,d", calls, callsLeastWanted));
    }
    if (!steady && mostSettlingRounds > 0) {
      wants.add("not steady after %d rounds".formatted(settlingRounds));
    }
    return wants.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", wants));
  }
}
