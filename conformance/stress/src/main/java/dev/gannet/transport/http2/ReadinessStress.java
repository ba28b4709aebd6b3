package dev.gannet.transport.http2;

import dev.gannet.transport.memory.MemoryLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A sender that finds its call not ready is notified when it becomes ready. */
public final class ReadinessStress {
  private static final int BUDGET_BYTES = 4 << 20;

  private ReadinessStress() {}

  /** One call, and the part of its connection's loop that notifies senders. */
  private static final class Loop {
    private final SendQuota quota = new SendQuota(MemoryLimiter.ofBytes(BUDGET_BYTES));
    private final CallQueue queue = new CallQueue(quota);

    /**
     * Bytes were written; whether the sender is notified, immediately or at the end of the batch.
     */
    boolean send(int bytes) {
      return queue.remove(bytes)
          || (quota.isAvailableForMoving() && quota.takeAsked() && queue.reconsider());
    }
  }

  /** Queued bytes are written while the sender fills its call and checks its readiness. */
  @JCStressTest
  @Outcome(id = "true", expect = Expect.ACCEPTABLE)
  @State
  public static class FillAndSend {
    private final Loop loop = new Loop();
    private boolean ready;
    private boolean notified;

    /** The call is full except for one byte. */
    public FillAndSend() {
      loop.queue.add(CallQueue.MAX_BYTES - 1);
    }

    /** The sender. */
    @Actor
    public void fill() {
      loop.queue.add(1);
      ready = loop.queue.isReady();
    }

    /** The connection's loop. */
    @Actor
    public void send() {
      notified = loop.send(CallQueue.MAX_BYTES - 1);
    }

    /** The last byte is written, too. */
    @Arbiter
    public void look(Z_Result result) {
      notified |= loop.send(1);
      result.r1 = ready || notified;
    }
  }

  /** Another call of the connection frees quota while the sender checks its readiness. */
  @JCStressTest
  @Outcome(id = "true", expect = Expect.ACCEPTABLE)
  @State
  public static class AskAndFreeQuota {
    private final Loop loop = new Loop();
    private final CallQueue other = new CallQueue(loop.quota);
    private boolean ready;
    private boolean notified;

    /** The other call has taken the whole quota. */
    public AskAndFreeQuota() {
      other.add(SendQuota.CONNECTION_BYTES + SendQuota.BEYOND_BYTES + SendQuota.FREE_BYTES);
      loop.queue.add(SendQuota.FREE_BYTES);
    }

    /** The sender. */
    @Actor
    public void ask() {
      ready = loop.queue.isReady();
    }

    /** The connection's loop: the other call ends. */
    @Actor
    public void end() {
      other.close();
      notified = loop.send(0);
    }

    /** The loop's next batch. */
    @Arbiter
    public void look(Z_Result result) {
      notified |= loop.send(SendQuota.FREE_BYTES);
      result.r1 = ready || notified;
    }
  }
}
