package dev.gannet.server.call;

import dev.gannet.api.Metadata;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.protocol.EmptyMetadata;
import dev.gannet.protocol.MessageEncoding;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Data that only some calls have: response metadata, values in their context, cancellation actions,
 * compressed responses. Created on first use.
 *
 * <p>Response metadata, encoding and the compression of messages belong to the handler and its
 * interceptors, who also set the values. Everything else is safe for all threads.
 */
final class CallExtras {
  private static final AtomicReferenceFieldUpdater<CallExtras, @Nullable PendingActions>
      CANCEL_ACTIONS =
          AtomicReferenceFieldUpdater.newUpdater(
              CallExtras.class, PendingActions.class, "cancelActions");

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static final AtomicReferenceFieldUpdater<CallExtras, @Nullable Set<Registration>>
      UNTIL_END =
          (AtomicReferenceFieldUpdater)
              AtomicReferenceFieldUpdater.newUpdater(CallExtras.class, Set.class, "untilEnd");

  private static final AtomicReferenceFieldUpdater<CallExtras, @Nullable Status> CANCELLATION =
      AtomicReferenceFieldUpdater.newUpdater(CallExtras.class, Status.class, "cancellation");

  private @Nullable Metadata responseHeaders;
  private @Nullable Metadata responseTrailers;
  private volatile @Nullable ContextValue values;
  private volatile @Nullable PendingActions cancelActions;
  private volatile @Nullable Set<Registration> untilEnd;
  private volatile @Nullable Status cancellation;
  private volatile @Nullable Status unsent;
  private MessageEncoding encoding = MessageEncoding.IDENTITY;
  private boolean messageCompression = true;

  /**
   * What a method has thrown in an event that has not ended yet; null if none has. Other threads
   * may deliver events meanwhile.
   */
  private volatile @Nullable ThrownByMethod thrown;

  /**
   * What a method has thrown.
   *
   * @param close closes the call with the status of an exception
   * @param thread the thread of its event
   */
  record ThrownByMethod(Throwable thrown, Consumer<Throwable> close, Thread thread) {}

  /** The response headers; created on first use. */
  Metadata responseHeaders() {
    if (responseHeaders == null) {
      responseHeaders = new Metadata();
    }
    return responseHeaders;
  }

  /** The response headers; not to be changed. */
  Metadata addedResponseHeaders() {
    return responseHeaders == null ? EmptyMetadata.SHARED : responseHeaders;
  }

  /** The response trailers; created on first use. */
  Metadata responseTrailers() {
    if (responseTrailers == null) {
      responseTrailers = new Metadata();
    }
    return responseTrailers;
  }

  /** The response trailers; not to be changed. */
  Metadata addedResponseTrailers() {
    return responseTrailers == null ? EmptyMetadata.SHARED : responseTrailers;
  }

  void setThrown(Throwable thrown, Consumer<Throwable> close) {
    this.thrown = new ThrownByMethod(thrown, close, Thread.currentThread());
  }

  /** What a method has thrown in the event that ends now on this thread; null if none has. */
  @Nullable ThrownByMethod takeThrown() {
    ThrownByMethod taken = thrown;
    if (taken == null || !taken.thread().equals(Thread.currentThread())) {
      return null;
    }
    thrown = null;
    return taken;
  }

  /** Why a response could not be sent; null if all could. */
  @Nullable Status unsent() {
    return unsent;
  }

  void setUnsent(Status why) {
    unsent = why;
  }

  @Nullable ContextValue values() {
    return values;
  }

  void setValues(ContextValue values) {
    this.values = values;
  }

  /** The added actions; null if there are none. */
  @Nullable PendingActions addedCancelActions() {
    return cancelActions;
  }

  /** Where to add an action; created on first use. */
  PendingActions cancelActions() {
    if (cancelActions == null) {
      CANCEL_ACTIONS.compareAndSet(this, null, new PendingActions("the cancellation of a call"));
    }
    return Objects.requireNonNull(cancelActions);
  }

  /** Closes the registration at {@link #end}, unless the returned one was closed before. */
  Registration closeAtEnd(Registration registration) {
    if (untilEnd == null) {
      UNTIL_END.compareAndSet(this, null, ConcurrentHashMap.newKeySet());
    }
    Set<Registration> all = Objects.requireNonNull(untilEnd);
    Registration forgotten = new Forgotten(registration, all);
    all.add(forgotten);
    return forgotten;
  }

  /**
   * A registration that is not kept after it was closed, because a long call may have many, one
   * after the other.
   */
  private static final class Forgotten implements Registration {
    private final Registration registration;
    private final Set<Registration> all;

    Forgotten(Registration registration, Set<Registration> all) {
      this.registration = registration;
      this.all = all;
    }

    @Override
    public void close() {
      all.remove(this);
      registration.close();
    }
  }

  /** The handler is done with the call. */
  void end() {
    Set<Registration> left = untilEnd;
    if (left != null) {
      left.forEach(Registration::close);
    }
  }

  /** Why the call was cancelled; null if it was not. */
  @Nullable Status cancellation() {
    return cancellation;
  }

  void setCancellation(Status why) {
    cancellation = why;
  }

  /** Sets why the call is going to be cancelled, unless something else has cancelled it. */
  boolean trySetCancellation(Status why) {
    return CANCELLATION.compareAndSet(this, null, why);
  }

  /** The call was not cancelled after all. */
  void takeBackCancellation(Status why) {
    CANCELLATION.compareAndSet(this, why, null);
  }

  /** The encoding that the response's headers announce. */
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
