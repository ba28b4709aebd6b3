package dev.gannet.transport.http2;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The queue through which other threads reach a connection: many threads add mail, its event loop
 * removes it.
 *
 * <p>A thread that adds to an empty mailbox learns that it was empty, and wakes the loop; further
 * mail is processed by the same run.
 */
final class Mailbox {
  private final AtomicReference<@Nullable Mail> newest = new AtomicReference<>();

  // Used by the owner: removed mail, in order, that was not processed yet.
  private @Nullable Mail unopened;

  /**
   * Adds a mail.
   *
   * @return whether the mailbox was empty, so that its owner must be woken
   */
  boolean put(Mail mail) {
    Mail before;
    do {
      before = newest.get();
      mail.next = before;
    } while (!newest.compareAndSet(before, mail));
    return before == null;
  }

  /** Whether all mail was processed. On the owner's thread. */
  boolean isEmpty() {
    return newest.get() == null && unopened == null;
  }

  /**
   * Processes all mail in the mailbox, in the order in which it was added. On the owner's thread.
   *
   * <p>An exception of a mail is thrown; the mail behind it is processed the next time.
   */
  void openAll() {
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
