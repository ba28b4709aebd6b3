package dev.gannet.fuzz.targets;

/**
 * The first rule that was broken in an event of a call, kept until someone asks: what a listener
 * throws ends its call, and an engine tells nobody.
 */
final class KeptFinding {
  private String rule = "";

  /** Keeps it unless the rule held, or another was broken before. */
  void unless(boolean holds, String broken) {
    if (!holds && rule.isEmpty()) {
      rule = broken;
    }
  }

  /** Throws it, if there is one. */
  void check() {
    Finding.unless(rule.isEmpty(), rule);
  }
}
