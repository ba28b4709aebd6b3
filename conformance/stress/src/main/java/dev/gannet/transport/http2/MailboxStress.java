package dev.gannet.transport.http2;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Mails of other threads reach a connection once each, in order, and none is left in the mailbox.
 */
public final class MailboxStress {
  private MailboxStress() {}

  /** A number that is recorded when its mail is processed. */
  private static final class Note extends Mail {
    private final Opened opened;
    private final int number;

    Note(Opened opened, int number) {
      this.opened = opened;
      this.number = number;
    }

    @Override
    void open() {
      opened.numbers = opened.numbers * 10 + number;
    }
  }

  /** The mails that the owner has processed. */
  private static final class Opened {
    private int numbers;
  }

  /**
   * The owner processes mails while another thread adds two; the owner is only woken if necessary.
   */
  @JCStressTest
  @Outcome(id = "12, 1", expect = Expect.ACCEPTABLE, desc = "one wake for both")
  @Outcome(id = "12, 2", expect = Expect.ACCEPTABLE, desc = "a wake for each")
  @State
  public static class PutAndOpen {
    private final Opened opened = new Opened();
    private final Mailbox mailbox = new Mailbox();
    private int wakes;

    /** Another thread. */
    @Actor
    public void put() {
      int woken = mailbox.put(new Note(opened, 1)) ? 1 : 0;
      wakes = woken + (mailbox.put(new Note(opened, 2)) ? 1 : 0);
    }

    /** The owner, in a batch of its own. */
    @Actor
    public void open() {
      mailbox.openAll();
    }

    /** The owner again, as often as it is woken. */
    @Arbiter
    public void wake(II_Result result) {
      for (int i = 0; i < wakes; i++) {
        mailbox.openAll();
      }
      result.r1 = opened.numbers;
      result.r2 = wakes;
    }
  }

  /** Two threads add mails, and one of them wakes the owner. */
  @JCStressTest
  @Outcome(
      id = {"132, 1", "312, 1", "123, 1"},
      expect = Expect.ACCEPTABLE)
  @State
  public static class TwoPut {
    private final Opened opened = new Opened();
    private final Mailbox mailbox = new Mailbox();
    private int wakesOfFirst;
    private int wakesOfSecond;

    /** One thread. */
    @Actor
    public void first() {
      int woken = mailbox.put(new Note(opened, 1)) ? 1 : 0;
      wakesOfFirst = woken + (mailbox.put(new Note(opened, 2)) ? 1 : 0);
    }

    /** Another. */
    @Actor
    public void second() {
      wakesOfSecond = mailbox.put(new Note(opened, 3)) ? 1 : 0;
    }

    /** The owner. */
    @Arbiter
    public void open(II_Result result) {
      mailbox.openAll();
      result.r1 = opened.numbers;
      result.r2 = wakesOfFirst + wakesOfSecond;
    }
  }
}
