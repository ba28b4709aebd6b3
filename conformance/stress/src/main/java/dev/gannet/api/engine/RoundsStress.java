package dev.gannet.api.engine;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** No request is lost, and rounds are one at a time and see what was written before. */
public final class RoundsStress {
  private RoundsStress() {}

  /** What rounds add up; not volatile, so that a missing order would be noticed. */
  private static final class Sum {
    private final Rounds rounds = new Rounds();

    /** The number of the round that throws. */
    private final int throwing;

    private int first;
    private int second;
    private int sum;
    private int number;

    Sum(int throwing) {
      this.throwing = throwing;
    }

    void setFirst(int value) {
      first = value;
      request();
    }

    void setSecond(int value) {
      second = value;
      request();
    }

    private void request() {
      try {
        rounds.run(this, Sum::add);
      } catch (IllegalStateException e) {
        // of the round that throws
      }
    }

    private void add() {
      number++;
      sum = first + second;
      if (number == throwing) {
        throw new IllegalStateException();
      }
    }

    /** The sum now, and after one more request. */
    void result(II_Result result) {
      result.r1 = sum;
      setFirst(10);
      result.r2 = sum;
    }
  }

  /** Two threads request rounds. */
  @JCStressTest
  @Outcome(id = "3, 12", expect = Expect.ACCEPTABLE)
  @State
  public static class TwoRequests {
    private final Sum sum = new Sum(0);

    /** One thread. */
    @Actor
    public void first() {
      sum.setFirst(1);
    }

    /** Another. */
    @Actor
    public void second() {
      sum.setSecond(2);
    }

    /** What the rounds have found. */
    @Arbiter
    public void look(II_Result result) {
      sum.result(result);
    }
  }

  /** Two threads request rounds, and the first round throws an exception. */
  @JCStressTest
  @Outcome(id = "3, 12", expect = Expect.ACCEPTABLE)
  @State
  public static class FirstRoundThrows {
    private final Sum sum = new Sum(1);

    /** One thread. */
    @Actor
    public void first() {
      sum.setFirst(1);
    }

    /** Another. */
    @Actor
    public void second() {
      sum.setSecond(2);
    }

    /** What the rounds have found. */
    @Arbiter
    public void look(II_Result result) {
      sum.result(result);
    }
  }
}
