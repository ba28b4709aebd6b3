package dev.gannet.client.call;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallParent;
import dev.gannet.api.CallScope;
import dev.gannet.api.Deadline;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The incoming call whose handler makes an outgoing call, or the scope in which it is made: the
 * outgoing call inherits its deadline, and is cancelled with it. Other calls have no parent, and no
 * such object.
 */
final class ParentCall {
  private final CallParent context;
  private volatile @Nullable Registration registration;

  private ParentCall(CallParent context) {
    this.context = context;
  }

  /** The parent of calls that this thread makes; null if there is none. */
  static @Nullable ParentCall current() {
    Optional<CallParent> here = CallParent.current();
    return here.isPresent() ? new ParentCall(here.get()) : null;
  }

  /**
   * The parent of a call that starts now. Interceptors may start calls on other threads than those
   * that made them.
   */
  static @Nullable ParentCall atStart(@Nullable ParentCall whenMade) {
    Optional<CallParent> here = CallParent.current();
    if (here.isEmpty()) {
      return CallContext.isDetached() ? null : whenMade;
    }
    return whenMade != null && whenMade.context.equals(here.get())
        ? whenMade
        : new ParentCall(here.get());
  }

  /** Whether calls that this thread makes have this parent, or none if there is no parent. */
  static boolean isCurrent(@Nullable ParentCall parent) {
    Optional<CallParent> here = CallParent.current();
    return parent == null ? here.isEmpty() : here.isPresent() && parent.context.equals(here.get());
  }

  /** Runs the task with this parent as the current one, or with none if there is no parent. */
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
    // write-then-check with OutgoingCall.onEndAdded: the registration first, then ENDED
    if (call.hasEnded()) {
      made.close();
    }
  }

  /** The status of an outgoing call that is cancelled with it. */
  Status cancellation() {
    return context.endOfCalls();
  }

  /** Where the deadline of an outgoing call comes from, for its status. */
  String originOfDeadline() {
    return context instanceof CallScope
        ? "inherited from the call scope"
        : "inherited from the incoming call";
  }

  /** The outgoing call has ended. */
  void forget() {
    Registration made = registration;
    if (made != null) {
      made.close();
    }
  }
}
