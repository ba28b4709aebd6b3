package dev.gannet.conformance.gauntlet.attack;

import java.util.List;

/**
 * What is known of an attack.
 *
 * @param name one word for the command line and the tables
 * @param section where RFC 9113, RFC 7541 or gRPC's own description says what is right
 * @param cves what it was published as, where it was; without the letters CVE
 * @param correct what a server that is right does
 * @param fate what becomes of the attacking connection
 */
public record Dossier(String name, String section, List<String> cves, String correct, Fate fate) {
  /** What becomes of an attacking connection. */
  public enum Fate {
    /** It is ended, with a GOAWAY that says why. */
    CUT_OFF,
    /** It is ended once its time is over. */
    TIMED_OUT,
    /** It may stay, for an honest client could do the same: but what it costs is bounded. */
    BOUNDED
  }

  /** An attack without a CVE. */
  Dossier(String name, String section, Fate fate, String correct) {
    this(name, section, List.of(), correct, fate);
  }

  /** The dossier with what the attack was published as: numbers with spaces between, or none. */
  Dossier published(String numbers) {
    List<String> cves = numbers.isEmpty() ? List.of() : List.of(numbers.split(" "));
    return new Dossier(name, section, cves, correct, fate);
  }
}
