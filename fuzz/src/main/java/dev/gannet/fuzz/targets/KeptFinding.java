package dev.gannet.fuzz.targets;

/**
 * The first rule that was broken in an event of a call, kept until it is queried: an exception of a
 * listener would only end its call, and the engine would not report it.
 */
final class KeptFinding {
  private String rule = "";

  /** Keeps the finding if the rule does not hold and no other one was broken before. */
  void unless(boolean holds, String broken) {
    if (!holds && rule.isEmpty()) {
      rule = broken;
    }
  }

  /** Throws the finding, if there is one. */
  void check() {
    Finding.unless(rule.isEmpty(), rule);
  }
}
