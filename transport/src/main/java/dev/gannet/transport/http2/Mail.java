package dev.gannet.transport.http2;

import org.jspecify.annotations.Nullable;

/** A task that another thread passes to an event loop; put into a {@link Mailbox} once. */
abstract class Mail {
  @Nullable Mail next;

  /** Runs the task, on the loop that owns the mailbox. */
  abstract void open();
}
