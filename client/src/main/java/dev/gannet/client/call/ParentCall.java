package dev.gannet.client.call;

import dev.gannet.api.CallContext;
import dev.gannet.api.Deadline;
import dev.gannet.api.Registration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The incoming call whose handler makes an outgoing call: that one inherits its deadline, and is
 * cancelled with it. Other calls have no parent, and no such object.
 */
final class ParentCall {
  private final CallContext context;
  private volatile @Nullable Registration registration;

  private ParentCall(CallContext context) {
    this.context = context;
  }

  /** The call that this thread serves; null if there is none. */
  static @Nullable ParentCall current() {
    Optional<CallContext> here = CallContext.current();
    return here.isPresent() ? new ParentCall(here.get()) : null;
  }

  /**
   * The parent of a call that starts now. Interceptors may start calls on other threads than those
   * that made them.
   */
  static @Nullable ParentCall atStart(@Nullable ParentCall whenMade) {
    Optional<CallContext> here = CallContext.current();
    if (here.isEmpty()) {
      return CallContext.isDetached() ? null : whenMade;
    }
    return whenMade != null && whenMade.context.equals(here.get())
        ? whenMade
        : new ParentCall(here.get());
  }

  /** Whether this thread serves the parent, or no call if there is no parent. */
  static boolean isCurrent(@Nullable ParentCall parent) {
    Optional<CallContext> here = CallContext.current();
    return parent == null ? here.isEmpty() : here.isPresent() && parent.context.equals(here.get());
  }

  /** Runs the task with the parent as the current call, or with none if there is no parent. */
  static void run(@Nullable ParentCall parent, Runnable task) {
    if (parent == null) {
      CallContext.runDetached(task);
    } else {
      parent.context.run(task);
    }
  }

  Optional<Deadline> deadline() {
    return context.deadline();
  }

  /** The call has begun, and is cancelled with its parent until it has ended. */
  void cancels(OutgoingCall<?, ?> call) {
    Registration made = context.onCancelled(call::onParentCancelled);
    registration = made;
    if (call.hasEnded()) { // the thread that ended it may not have found the registration
      made.close();
    }
  }

  /** The outgoing call has ended. */
  void forget() {
    Registration made = registration;
    if (made != null) {
      made.close();
    }
  }
}
