package dev.gannet.conformance.gauntlet;

/** A criterion that a server must meet under attack, with a text for the case that it does not. */
enum Bar {
  STANDS("the server crashed"),
  ANSWERS("honest calls failed"),
  THROUGHPUT("honest throughput fell"),
  FATE("an attacker should have been disconnected and was not"),
  KEPT("more than 1 MiB was kept for an attacking connection"),
  MEMORY_BACK("memory did not come back"),
  P99_OF_MACHINE(
      "honest p99 with one attacker was over its limit, but at most twice the value with the"
          + " decoy"),
  P99_OF_SERVER(
      "honest p99 with one attacker was over its limit, and over twice the value with the decoy, if"
          + " there was one");

  private final String broken;

  Bar(String broken) {
    this.broken = broken;
  }

  /** What has happened if it is not met. */
  String broken() {
    return broken;
  }

  boolean isOfP99() {
    return this == P99_OF_MACHINE || this == P99_OF_SERVER;
  }
}
