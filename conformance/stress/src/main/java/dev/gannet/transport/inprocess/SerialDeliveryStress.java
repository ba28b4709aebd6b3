package dev.gannet.transport.inprocess;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Tasks of several threads for one side run once each, in order, one at a time. */
public final class SerialDeliveryStress {
  private SerialDeliveryStress() {}

  /** Records the orders; not thread-safe, so that two at the same time would be noticed. */
  private static final class Recording extends SerialDelivery {
    private String done = "";

    void order(char what) {
      execute(() -> done += what);
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
    private final Recording delivery = new Recording();

    /** One thread. */
    @Actor
    public void first() {
      delivery.order('1');
      delivery.order('2');
    }

    /** Another. */
    @Actor
    public void second() {
      delivery.order('3');
    }

    /** The executed orders. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = delivery.done;
    }
  }

  /** One thread delivers while another one adds an order. */
  @JCStressTest
  @Outcome(
      id = {"123", "132", "312"},
      expect = Expect.ACCEPTABLE)
  @State
  public static class WorkAndPut {
    private final Recording delivery = new Recording();

    /** The delivering thread. */
    @Actor
    public void work() {
      delivery.workAs('1');
      delivery.workAs('2');
    }

    /** Another. */
    @Actor
    public void put() {
      delivery.order('3');
    }

    /** The executed orders. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = delivery.done;
    }
  }

  /** A side is created at work, and stops when a task arrives. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE)
  @State
  public static class LeaveAndPut {
    private final Recording delivery = new Recording();

    /** The creator of the side is at work. */
    public LeaveAndPut() {
      delivery.enterFirst();
    }

    /** The side's creator. */
    @Actor
    public void leave() {
      delivery.leave();
    }

    /** Another. */
    @Actor
    public void put() {
      delivery.order('1');
    }

    /** The executed orders. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = delivery.done;
    }
  }
}
