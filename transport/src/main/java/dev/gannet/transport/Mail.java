package dev.gannet.transport;

import org.jspecify.annotations.Nullable;

/** Something another thread wants done on an event loop; put into a {@link Mailbox} once. */
public abstract class Mail {
  @Nullable Mail next;

  protected Mail() {}

  /** Does it. Runs on the loop that owns the mailbox. */
  protected abstract void open();
}
