package dev.gannet.conformance.gauntlet;

import java.util.ArrayList;
import java.util.List;

/** Honest calls from the beginning of a trial to its end, phase by phase. Of one thread. */
final class HonestWatch {
  private final HonestLoad load;
  private final List<HonestPhase> phases = new ArrayList<>();

  HonestWatch(HonestLoad load) {
    this.load = load;
  }

  /** Calls that begin from now on belong to a phase of their own. */
  HonestPhase enter() {
    HonestPhase entered = load.enter();
    phases.add(entered);
    return entered;
  }

  /** Calls that begin from now on do not belong to the trial. */
  void leave() {
    load.enter();
  }

  /** What the calls of all phases but one were told that failed; to be asked after the last. */
  String failuresBut(HonestPhase except) {
    StringBuilder failures = new StringBuilder();
    for (HonestPhase phase : phases) {
      HonestFigures figures = phase.figures();
      if (phase != except && figures.failures() > 0) {
        failures.append(figures.failures()).append(" x ").append(figures.firstFailure());
        failures.append("; ");
      }
    }
    return failures.toString();
  }
}
