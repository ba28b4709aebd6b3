package dev.gannet.benchmarks.compare.statistics;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The order of two candidates: A B A B, so that changes of the machine affect both. */
public final class Turns {
  private Turns() {}

  /**
   * All of them in order, starting with the one at {@code first}, so that over as many rounds as
   * there are contenders each has every position once.
   */
  public static <T> List<T> rotated(List<T> all, int first) {
    List<T> turns = new ArrayList<>(all);
    Collections.rotate(turns, -first);
    return turns;
  }

  /** The order in which two contenders run their rounds. */
  public static <T> List<T> of(T first, T second, int rounds) {
    List<T> turns = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      turns.add(first);
      turns.add(second);
    }
    return turns;
  }
}
