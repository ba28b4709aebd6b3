package dev.gannet.benchmarks.compare.statistics;

import java.util.ArrayList;
import java.util.List;

/** Who is next: A B A B, so that what changes on the machine meanwhile meets both. */
public final class Turns {
  private Turns() {}

  /** The order in which two take their rounds. */
  public static <T> List<T> of(T first, T second, int rounds) {
    List<T> turns = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      turns.add(first);
      turns.add(second);
    }
    return turns;
  }
}
