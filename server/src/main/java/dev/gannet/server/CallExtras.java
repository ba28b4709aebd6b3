package dev.gannet.server;

import dev.gannet.protocol.MessageEncoding;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Data that only some calls have: values in their context, cancellation actions, compressed
 * responses. Created on first use.
 *
 * <p>{@link #cancelActions} is safe for all threads; the rest belongs to the handler, except for
 * reading {@link #values}.
 */
final class CallExtras {
  private static final AtomicReferenceFieldUpdater<CallExtras, @Nullable CancelActions>
      CANCEL_ACTIONS =
          AtomicReferenceFieldUpdater.newUpdater(
              CallExtras.class, CancelActions.class, "cancelActions");

  private volatile @Nullable ContextValue values;
  private volatile @Nullable CancelActions cancelActions;
  private MessageEncoding encoding = MessageEncoding.IDENTITY;
  private boolean messageCompression = true;

  @Nullable ContextValue values() {
    return values;
  }

  void setValues(ContextValue values) {
    this.values = values;
  }

  /** The cancellation actions; null if there are none. */
  @Nullable CancelActions addedCancelActions() {
    return cancelActions;
  }

  /** The cancellation actions, to add one. */
  CancelActions cancelActions() {
    if (cancelActions == null) {
      CANCEL_ACTIONS.compareAndSet(this, null, new CancelActions());
    }
    return Objects.requireNonNull(cancelActions);
  }

  /** The encoding of messages according to the response headers. */
  MessageEncoding encoding() {
    return encoding;
  }

  void setEncoding(MessageEncoding encoding) {
    this.encoding = encoding;
  }

  void setMessageCompression(boolean enabled) {
    messageCompression = enabled;
  }

  /** Whether the next message is compressed. */
  boolean isMessageCompressed() {
    return messageCompression && encoding != MessageEncoding.IDENTITY;
  }
}
