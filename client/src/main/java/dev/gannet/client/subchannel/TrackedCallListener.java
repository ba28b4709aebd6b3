package dev.gannet.client.subchannel;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.PickArgs;
import dev.gannet.client.balancer.TrackedCall;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.GuardedLog;
import dev.gannet.transport.NotProcessed;
import dev.gannet.transport.RetryTarget;
import java.lang.System.Logger;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The events of an attempt; reports its end to what a {@link CallTracker} has returned for it.
 *
 * <pre>
 *   BEGUN ──closed, left for another attempt, never opened──► ENDED
 * </pre>
 */
public final class TrackedCallListener implements ClientCallEventListener {
  private static final Logger LOG = System.getLogger(TrackedCallListener.class.getName());

  private final ClientCallEventListener attempt;
  private final TrackedCall tracked;
  private final AtomicBoolean ended = new AtomicBoolean();

  private TrackedCallListener(ClientCallEventListener attempt, TrackedCall tracked) {
    this.attempt = attempt;
    this.tracked = tracked;
  }

  /**
   * Notifies the trackers of the beginning of an attempt; returns null if nobody needs to know its
   * end.
   *
   * @param ofSubchannel null if its subchannel has none
   * @param ofPick {@link CallTracker#NONE} if its pick has none
   */
  @SuppressWarnings("ReferenceEquality") // the one that does nothing
  public static @Nullable TrackedCallListener begin(
      ClientCallEventListener attempt,
      @Nullable CallTracker ofSubchannel,
      CallTracker ofPick,
      PickArgs call) {
    TrackedCallListener inner = ofPick == CallTracker.NONE ? null : begin(attempt, ofPick, call);
    if (ofSubchannel == null) {
      return inner;
    }
    // Outside: a ConnectionPool looks for itself there.
    TrackedCallListener outer = begin(inner == null ? attempt : inner, ofSubchannel, call);
    return outer == null ? inner : outer;
  }

  /** The same for one tracker. */
  @SuppressWarnings("ReferenceEquality") // the one that does nothing
  static @Nullable TrackedCallListener begin(
      ClientCallEventListener attempt, CallTracker tracker, PickArgs call) {
    TrackedCall tracked = started(tracker, call);
    return tracked == TrackedCall.NONE ? null : new TrackedCallListener(attempt, tracked);
  }

  /** The events of an attempt that has begun, whose end is reported to this, too. */
  static TrackedCallListener of(ClientCallEventListener attempt, TrackedCall tracked) {
    return new TrackedCallListener(attempt, tracked);
  }

  /** The listener to which all events are passed on. */
  ClientCallEventListener attempt() {
    return attempt;
  }

  /** What gets the end of the attempt. */
  TrackedCall tracked() {
    return tracked;
  }

  private static TrackedCall started(CallTracker tracker, PickArgs call) {
    try {
      return Objects.requireNonNull(tracker.onStarted(call), "onStarted returned null");
    } catch (Throwable e) { // may be users' code
      logFailure(e);
      return TrackedCall.NONE;
    }
  }

  /** The attempt has ended, and not by its server. May be called again. */
  public void end(Status status) {
    end(status, Optional.empty());
    if (attempt instanceof TrackedCallListener inner) {
      inner.end(status);
    }
  }

  private void end(Status status, Optional<CallEvent.Closed> closed) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    try {
      tracked.onEnded(status, closed.map(CallEvent.Closed::trailers).orElseGet(Metadata::new));
    } catch (Throwable e) { // may be users' code
      logFailure(e);
    }
  }

  private static void logFailure(Throwable thrown) {
    GuardedLog.warn(LOG, "the load-balancing policy's call tracker failed", thrown);
  }

  @Override
  public void onWaitedForStream(long sinceNanos) {
    attempt.onWaitedForStream(sinceNanos);
  }

  @Override
  public void add(CallEvent event) {
    if (event instanceof CallEvent.Closed closed) {
      end(closed.status(), Optional.of(closed));
    }
    attempt.add(event);
  }

  @Override
  public void flush() {
    attempt.flush();
  }

  @Override
  public boolean isMessageRequested() {
    return attempt.isMessageRequested();
  }

  @Override
  public boolean isTraced() {
    return attempt.isTraced();
  }

  @Override
  public void onMessageSent(int wireBytes, int messageBytes) {
    attempt.onMessageSent(wireBytes, messageBytes);
  }

  @Override
  public void onHeadersSent(ConnectionInfo connection, String authority) {
    attempt.onHeadersSent(connection, authority);
  }

  @Override
  public Optional<RetryTarget> onNotProcessed(NotProcessed how, Status why) {
    Optional<RetryTarget> next = attempt.onNotProcessed(how, why);
    if (next.isPresent()) {
      end(why);
    }
    return next;
  }
}
