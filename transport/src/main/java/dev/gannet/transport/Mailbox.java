package dev.gannet.transport;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The one queue through which other threads reach a connection: many put in, its event loop takes
 * out.
 *
 * <p>Whoever puts the first mail into an empty box is told so and wakes the loop; all others ride
 * along.
 */
public final class Mailbox {
  private final AtomicReference<@Nullable Mail> newest = new AtomicReference<>();

  // The owner's: taken out, in order, and not opened yet.
  private @Nullable Mail unopened;

  /** An empty box. */
  public Mailbox() {}

  /**
   * Puts a mail in.
   *
   * @return whether the box was empty, so that its owner must be woken
   */
  public boolean put(Mail mail) {
    Mail before;
    do {
      before = newest.get();
      mail.next = before;
    } while (!newest.compareAndSet(before, mail));
    return before == null;
  }

  /** Whether all mails were opened. On the owner's thread. */
  public boolean isEmpty() {
    return newest.get() == null && unopened == null;
  }

  /**
   * Opens all mails that lie in the box, in the order in which they came. On the owner's thread.
   *
   * <p>What one of them throws comes out of this; those behind it are opened the next time.
   */
  public void openAll() {
    if (unopened == null) {
      takeOut();
    }
    for (Mail mail = unopened; mail != null; mail = unopened) {
      unopened = mail.next;
      mail.next = null;
      mail.open();
    }
  }

  private void takeOut() {
    Mail mail = newest.get() == null ? null : newest.getAndSet(null);
    Mail oldest = null;
    while (mail != null) {
      Mail before = mail.next;
      mail.next = oldest;
      oldest = mail;
      mail = before;
    }
    unopened = oldest;
  }
}
