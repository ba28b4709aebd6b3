package dev.gannet.benchmarks.compare.trial;

/** A server and the client that calls it, by their names. */
public record Contender(String server, String client) {
  /**
   * Reads {@code SERVER/CLIENT}; a server alone is called by Gannet's client.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static Contender parse(String text) {
    String[] parts = text.split("/", -1);
    return switch (parts.length) {
      case 1 -> new Contender(parts[0], "gannet");
      case 2 -> new Contender(parts[0], parts[1]);
      default -> throw new IllegalArgumentException("a contender is SERVER/CLIENT: " + text);
    };
  }

  @Override
  public String toString() {
    return server + "/" + client;
  }
}
