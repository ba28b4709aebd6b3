package dev.gannet.server;

import dev.gannet.protocol.MessageEncoding;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * What only some calls have: values in their context, actions for their cancellation, compressed
 * responses. Made when the first of them is asked for.
 *
 * <p>{@link #cancelActions} is safe for all threads; the rest is the handler's, but for reading
 * {@link #values}.
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

  /** Those that were added; null if none were. */
  @Nullable CancelActions addedCancelActions() {
    return cancelActions;
  }

  /** Where to add one. */
  CancelActions cancelActions() {
    if (cancelActions == null) {
      CANCEL_ACTIONS.compareAndSet(this, null, new CancelActions());
    }
    return Objects.requireNonNull(cancelActions);
  }

  /** What the response's headers say that its messages are compressed with. */
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
