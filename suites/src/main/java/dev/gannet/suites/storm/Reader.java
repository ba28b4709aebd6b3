package dev.gannet.suites.storm;

import dev.gannet.simulation.SimulatedLoop;
import java.util.List;
import java.util.function.IntConsumer;

/** One end's reading: requests messages as planned, and checks that each is the right one. */
final class Reader {
  /** The longest pause of a slow reader. */
  static final long MAX_PAUSE_NANOS = 20_000_000;

  private final Part plan;
  private final List<Load> expected;
  private final SimulatedLoop loop;
  private final Odds odds;
  private final IntConsumer request;
  private int read;

  /**
   * A reader that has requested nothing yet.
   *
   * @param expected what the other end sends, unless the call ends before
   * @param request requests this many more
   */
  Reader(Part plan, List<Load> expected, SimulatedLoop loop, Odds odds, IntConsumer request) {
    this.plan = plan;
    this.expected = expected;
    this.loop = loop;
    this.odds = odds;
    this.request = request;
  }

  void start() {
    if (plan.reading() == Part.Reading.EAGER) {
      request.accept(expected.size() + 1);
    } else if (!plan.stopsReading() || plan.stopsAfter() > 0) {
      request.accept(1);
    }
  }

  void onMessage(Load message) {
    Invariant.holds(read < expected.size(), () -> message + " comes behind the last");
    Invariant.holds(
        message.equals(expected.get(read)),
        () -> message + " comes instead of " + expected.get(read));
    read++;
    switch (plan.reading()) {
      case EAGER -> {}
      case STEADY -> request.accept(1);
      case SLOW -> loop.schedule(() -> request.accept(1), odds.nanosBelow(MAX_PAUSE_NANOS));
      case STOPPING -> {
        if (read < plan.stopsAfter()) {
          request.accept(1);
        }
      }
    }
  }

  int read() {
    return read;
  }

  boolean hasAll() {
    return read == expected.size();
  }
}
