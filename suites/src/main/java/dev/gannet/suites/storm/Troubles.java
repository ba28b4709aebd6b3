package dev.gannet.suites.storm;

import dev.gannet.simulation.SimulatedLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Plans the troubles of a storm: which there are, and when each begins. */
final class Troubles {
  private static final int MAX_TROUBLES = 6;

  private final Odds odds;
  private final SimulatedLoop loop;
  private final StormTransport transport;
  private final Consumer<Trouble> programs;
  private final List<Trouble> planned = new ArrayList<>();
  private boolean calm = true;

  /**
   * Troubles that are still to be planned.
   *
   * @param transport begins troubles of the network, and knows which kinds there are
   * @param programs begins troubles of programs
   */
  Troubles(Odds odds, SimulatedLoop loop, StormTransport transport, Consumer<Trouble> programs) {
    this.odds = odds;
    this.loop = loop;
    this.transport = transport;
    this.programs = programs;
  }

  /** Whether nothing ends a call but its own two ends. */
  boolean isCalm() {
    return calm;
  }

  void plan(long stormNanos) {
    int strength = odds.below(4);
    if (strength == 0) {
      return;
    }
    for (int left = 1 + odds.below(MAX_TROUBLES); left > 0; left--) {
      Trouble trouble = odds.oneOf(transport.troubles());
      if (trouble.isGentle() || strength > 1) {
        calm &= trouble.isGentle();
        planned.add(trouble);
        loop.schedule(() -> begin(trouble), odds.nanosBelow(stormNanos));
      }
    }
  }

  private void begin(Trouble trouble) {
    switch (trouble.subject()) {
      case NETWORK -> transport.begin(trouble);
      case PROGRAMS -> programs.accept(trouble);
    }
  }

  @Override
  public String toString() {
    return "troubles " + planned;
  }
}
