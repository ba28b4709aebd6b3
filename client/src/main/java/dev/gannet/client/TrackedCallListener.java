package dev.gannet.client;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.NotProcessed;
import dev.gannet.transport.RetryTarget;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The events of an attempt; reports its beginning and end to a {@link CallTracker}.
 *
 * <pre>
 *   BEGUN ──closed, left for another attempt, never opened──► ENDED
 * </pre>
 */
final class TrackedCallListener implements ClientCallEventListener {
  private static final Logger LOG = System.getLogger(TrackedCallListener.class.getName());

  private final ClientCallEventListener attempt;
  private final CallTracker tracker;
  private final AtomicBoolean ended = new AtomicBoolean();

  TrackedCallListener(ClientCallEventListener attempt, CallTracker tracker) {
    this.attempt = attempt;
    this.tracker = tracker;
  }

  void begin() {
    try {
      tracker.onStarted();
    } catch (Throwable e) { // may be users' code
      logFailure(e);
    }
  }

  /** The attempt has ended, and not by its server. May be called again. */
  void end(Status status) {
    end(status, Optional.empty());
  }

  private void end(Status status, Optional<CallEvent.Closed> by) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    try {
      tracker.onEnded(status, by.map(CallEvent.Closed::trailers).orElseGet(Metadata::new));
    } catch (Throwable e) { // may be users' code
      logFailure(e);
    }
  }

  private static void logFailure(Throwable thrown) {
    LOG.log(Level.WARNING, "the load-balancing policy's call tracker failed", thrown);
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
  public void onHeadersSent(ConnectionInfo connection) {
    attempt.onHeadersSent(connection);
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
