package dev.gannet.transport.inprocess;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** What several threads have done at an inlet is done once each, in order, one at a time. */
public final class InletStress {
  private InletStress() {}

  /** Writes down what is done, with nothing that would forgive two at a time. */
  private static final class Recording extends Inlet {
    private String done = "";

    void order(char what) {
      put(() -> done += what);
    }

    void workAs(char what) {
      if (enter()) {
        try {
          done += what;
        } finally {
          leave();
        }
      } else {
        order(what);
      }
    }
  }

  /** Two threads leave orders. */
  @JCStressTest
  @Outcome(
      id = {"123", "132", "312"},
      expect = Expect.ACCEPTABLE)
  @State
  public static class TwoPut {
    private final Recording inlet = new Recording();

    /** One thread. */
    @Actor
    public void first() {
      inlet.order('1');
      inlet.order('2');
    }

    /** Another. */
    @Actor
    public void second() {
      inlet.order('3');
    }

    /** What was done. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = inlet.done;
    }
  }

  /** One thread works as another leaves an order. */
  @JCStressTest
  @Outcome(
      id = {"123", "132", "312"},
      expect = Expect.ACCEPTABLE)
  @State
  public static class WorkAndPut {
    private final Recording inlet = new Recording();

    /** The worker. */
    @Actor
    public void work() {
      inlet.workAs('1');
      inlet.workAs('2');
    }

    /** Another. */
    @Actor
    public void put() {
      inlet.order('3');
    }

    /** What was done. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = inlet.done;
    }
  }

  /** One side was made at work, and leaves as an order comes. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE)
  @State
  public static class LeaveAndPut {
    private final Recording inlet = new Recording();

    /** Its maker is at work. */
    public LeaveAndPut() {
      inlet.enterFirst();
    }

    /** Its maker. */
    @Actor
    public void leave() {
      inlet.leave();
    }

    /** Another. */
    @Actor
    public void put() {
      inlet.order('1');
    }

    /** What was done. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = inlet.done;
    }
  }
}
