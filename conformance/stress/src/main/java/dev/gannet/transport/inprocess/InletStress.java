package dev.gannet.transport.inprocess;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Orders of several threads to an inlet run once each, in order, one at a time. */
public final class InletStress {
  private InletStress() {}

  /** Records the orders; not thread-safe, so that two at the same time would be noticed. */
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

  /** Two threads add orders. */
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

    /** The executed orders. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = inlet.done;
    }
  }

  /** One thread delivers while another one adds an order. */
  @JCStressTest
  @Outcome(
      id = {"123", "132", "312"},
      expect = Expect.ACCEPTABLE)
  @State
  public static class WorkAndPut {
    private final Recording inlet = new Recording();

    /** The delivering thread. */
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

    /** The executed orders. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = inlet.done;
    }
  }

  /** An inlet is created at work, and stops when an order arrives. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE)
  @State
  public static class LeaveAndPut {
    private final Recording inlet = new Recording();

    /** Its creator is at work. */
    public LeaveAndPut() {
      inlet.enterFirst();
    }

    /** Its creator. */
    @Actor
    public void leave() {
      inlet.leave();
    }

    /** Another. */
    @Actor
    public void put() {
      inlet.order('1');
    }

    /** The executed orders. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = inlet.done;
    }
  }
}
