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

  public boolean isEmpty() {
    return newest.get() == null;
  }

  /**
   * Opens all mails that lie in the box, in the order in which they came. On the owner's thread.
   */
  public void openAll() {
    Mail mail = newest.get() == null ? null : newest.getAndSet(null);
    Mail oldest = null;
    while (mail != null) {
      Mail before = mail.next;
      mail.next = oldest;
      oldest = mail;
      mail = before;
    }
    while (oldest != null) {
      Mail following = oldest.next;
      oldest.next = null;
      oldest.open();
      oldest = following;
    }
  }
}
