package dev.gannet.transport.http2;

import dev.gannet.transport.pipe.Pipe;
import java.util.concurrent.RejectedExecutionException;

/**
 * The mailbox of one connection, which wakes the connection's loop: once for all mail that arrives
 * until it runs, and not at all for mail that the loop posts in a batch. Confined to the loop,
 * except {@link #post} and {@link #isOnLoop}.
 */
final class LoopMailbox {
  private final Pipe pipe;
  private final LoopPass pass;
  private final Runnable onMail;
  private final Mailbox mailbox = new Mailbox();

  /** The loop has rejected a task, so it may not know that mail waits. */
  private volatile boolean unwoken;

  private boolean fedByNeighbours;

  /**
   * An empty mailbox.
   *
   * @param onMail runs on the loop when there is mail
   */
  LoopMailbox(Pipe pipe, LoopPass pass, Runnable onMail) {
    this.pipe = pipe;
    this.pass = pass;
    this.onMail = onMail;
  }

  /**
   * Has the mail processed on the loop, soon. Any thread.
   *
   * @throws RejectedExecutionException if the loop accepts no more tasks; the mail stays, and the
   *     next caller tries again
   */
  void post(Mail mail) {
    boolean first = mailbox.put(mail);
    if (first || unwoken) {
      boolean onLoop = pipe.inLoop();
      if (onLoop && pass.isInBatch()) {
        return;
      }
      if (onLoop) {
        fedByNeighbours = true;
      }
      wakeLoop();
    }
  }

  /** Whether other connections of this loop have posted mail in passes of their own. */
  boolean isFedByNeighbours() {
    return fedByNeighbours;
  }

  /** Has the loop process a batch, soon. */
  void wakeLoop() {
    try {
      pipe.execute(onMail);
    } catch (RuntimeException | Error e) { // there may be no memory for the task
      unwoken = true;
      throw e;
    }
    if (unwoken) {
      unwoken = false;
    }
  }

  /** Whether the calling thread is the loop's. Any thread. */
  boolean isOnLoop() {
    return pipe.inLoop();
  }

  /** Processes all mail. */
  void openAll() {
    mailbox.openAll();
  }

  boolean isEmpty() {
    return mailbox.isEmpty();
  }
}
