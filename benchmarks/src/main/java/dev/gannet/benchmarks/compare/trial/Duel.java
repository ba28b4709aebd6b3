package dev.gannet.benchmarks.compare.trial;

import java.util.List;

/** Two contenders that take turns. The ratio says how many times better the second one is. */
public record Duel(Contender first, Contender second) {
  public Duel {
    if (first.equals(second)) {
      throw new IllegalArgumentException("a pair needs two: " + first);
    }
  }

  /**
   * Reads {@code A,B}.
   *
   * @throws IllegalArgumentException if it is not two contenders
   */
  public static Duel parse(String text) {
    String[] parts = text.split(",", -1);
    if (parts.length != 2) {
      throw new IllegalArgumentException("a pair is A,B: " + text);
    }
    return new Duel(Contender.parse(parts[0]), Contender.parse(parts[1]));
  }

  public List<Contender> both() {
    return List.of(first, second);
  }

  @Override
  public String toString() {
    return first + "," + second;
  }
}
