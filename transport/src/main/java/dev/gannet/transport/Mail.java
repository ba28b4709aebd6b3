package dev.gannet.transport;

import org.jspecify.annotations.Nullable;

/** A task that another thread passes to an event loop; put into a {@link Mailbox} once. */
public abstract class Mail {
  @Nullable Mail next;

  protected Mail() {}

  /** Runs the task, on the loop that owns the mailbox. */
  protected abstract void open();
}
