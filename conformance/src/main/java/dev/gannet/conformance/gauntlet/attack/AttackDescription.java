package dev.gannet.conformance.gauntlet.attack;

import java.util.List;

/**
 * The description of an attack.
 *
 * @param name one word for the command line and the tables
 * @param section the section of RFC 9113, RFC 7541 or gRPC's documents with the rule
 * @param cves its CVE numbers, without the letters CVE; empty if there are none
 * @param correct what a correct server does
 * @param fate what happens to the attacking connection
 * @param reason a part of the text with which Gannet ends the connection, if its fate is {@link
 *     Fate#CUT_OFF}; otherwise empty
 */
public record AttackDescription(
    String name, String section, List<String> cves, String correct, Fate fate, String reason) {
  /** What happens to an attacking connection. */
  public enum Fate {
    /** The server ends it with a GOAWAY that gives the reason. */
    CUT_OFF,
    /** The server ends it after a timeout. */
    TIMED_OUT,
    /**
     * The connection may stay open, because an honest client could behave the same way; but its
     * cost is limited.
     */
    BOUNDED
  }

  /** Checks that there is a reason exactly where one must be given. */
  public AttackDescription {
    if ((fate == Fate.CUT_OFF) == reason.isEmpty()) {
      throw new IllegalArgumentException(name + " is " + fate + " for '" + reason + "'");
    }
  }

  /** An attack without a CVE, whose connection is not cut off. */
  AttackDescription(String name, String section, Fate fate, String correct) {
    this(name, section, List.of(), correct, fate, "");
  }

  /** An attack without a CVE, whose connection is cut off for a reason with these words. */
  static AttackDescription cutOff(String reason, String name, String section, String correct) {
    return new AttackDescription(name, section, List.of(), correct, Fate.CUT_OFF, reason);
  }

  /** The description with the CVE numbers of the attack, separated by spaces; empty for none. */
  AttackDescription published(String numbers) {
    List<String> cves = numbers.isEmpty() ? List.of() : List.of(numbers.split(" "));
    return new AttackDescription(name, section, cves, correct, fate, reason);
  }
}
