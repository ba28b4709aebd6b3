package dev.gannet.server.call;

import dev.gannet.api.CallContext;
import dev.gannet.api.Status;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.GuardedLog;
import java.lang.System.Logger;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The observers of a call, and its method: a call has one field for both, and calls without
 * observers share the object of their method. Takes care that the handler's end is told once, and
 * that what one observer throws is logged and hides no step from the others.
 *
 * <pre>
 *   the handler may answer ──answered, failed, returned or never started──► its end was told
 * </pre>
 */
final class CallObservers<Q, R> {
  private static final Logger LOG = System.getLogger(CallObservers.class.getName());

  private static final AtomicReferenceFieldUpdater<CallObservers<?, ?>, Status.@Nullable Code> END =
      updater();

  private final ServedMethod<Q, R> method;
  private final CallObserver[] all;

  /** How the handler has ended the call; null before, and if there is no observer. */
  private volatile Status.@Nullable Code end;

  /** New observers for a call of this method. */
  CallObservers(ServedMethod<Q, R> method, List<CallObserver.Factory> factories) {
    this.method = method;
    this.all = new CallObserver[factories.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = factories.get(i).newObserver();
    }
  }

  ServedMethod<Q, R> method() {
    return method;
  }

  /** Asks the guard of the method; what it throws is left to the caller. */
  CallAdmission onBegun(CallContext call) {
    for (CallObserver observer : all) {
      try {
        observer.onBegun();
      } catch (Throwable e) {
        warn(e);
      }
    }
    return method.admit(call);
  }

  void onReceived(int wireBytes) {
    for (CallObserver observer : all) {
      try {
        observer.onReceived(wireBytes);
      } catch (Throwable e) {
        warn(e);
      }
    }
  }

  /** Asks the observers whether the handler may start. */
  CallAdmission.Decided admit(CallContext call) {
    for (CallObserver observer : all) {
      try {
        if (observer.admit(call) instanceof CallAdmission.Refused refused) {
          return refused;
        }
      } catch (Throwable e) {
        return CallAdmission.failed(e);
      }
    }
    return CallAdmission.ADMITTED;
  }

  void onStarted() {
    for (CallObserver observer : all) {
      try {
        observer.onStarted();
      } catch (Throwable e) {
        warn(e);
      }
    }
  }

  void onSent(int wireBytes) {
    for (CallObserver observer : all) {
      try {
        observer.onSent(wireBytes);
      } catch (Throwable e) {
        warn(e);
      }
    }
  }

  /** Any thread, any number of times: the first one counts. */
  void onHandlerEnded(Status.Code code) {
    if (all.length > 0 && END.compareAndSet(this, null, code)) {
      for (CallObserver observer : all) {
        try {
          observer.onHandlerEnded(code);
        } catch (Throwable e) {
          warn(e);
        }
      }
    }
  }

  /** OK means that the answer was written to the network, whatever its own status is. */
  void onClosed(Status status) {
    Status.Code answer = end;
    for (CallObserver observer : all) {
      try {
        if (status.isOk()) {
          observer.onAnswered(answer == null ? Status.Code.UNKNOWN : answer);
        } else {
          observer.onCutOff(status.code());
        }
      } catch (Throwable e) {
        warn(e);
      }
    }
  }

  /** The call and its other observers must go on, for example when memory is short. */
  private static void warn(Throwable thrown) {
    GuardedLog.warn(LOG, "an observer of a call has failed; the call goes on", thrown);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicReferenceFieldUpdater<CallObservers<?, ?>, Status.@Nullable Code> updater() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(CallObservers.class, Status.Code.class, "end");
  }
}
