package dev.gannet.conformance.gauntlet;

import java.util.ArrayList;
import java.util.List;

/**
 * Honest calls from the beginning of a trial to its end, phase by phase. Confined to one thread.
 */
final class HonestWatch {
  private final HonestLoad load;
  private final List<HonestPhase> phases = new ArrayList<>();

  HonestWatch(HonestLoad load) {
    this.load = load;
  }

  /** Starts a new phase, to which later calls belong. */
  HonestPhase enter() {
    HonestPhase entered = load.enter();
    phases.add(entered);
    return entered;
  }

  /** Later calls do not belong to the trial. */
  void leave() {
    load.enter();
  }

  /** The failures of the calls of all phases but one; to be called after the last. */
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
