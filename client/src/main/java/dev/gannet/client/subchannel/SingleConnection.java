package dev.gannet.client.subchannel;

import dev.gannet.client.balancer.CallTracker;
import dev.gannet.transport.ClientTransport;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The connection for all calls of a subchannel that has at most one at a time. How many streams its
 * server allows is not looked at here: calls wait for one on the connection. Safe for all threads.
 */
final class SingleConnection implements ReadyConnections {
  private static final AtomicReferenceFieldUpdater<SingleConnection, @Nullable ClientTransport>
      READY =
          AtomicReferenceFieldUpdater.newUpdater(
              SingleConnection.class, ClientTransport.class, "ready");

  private final @Nullable CallTracker tracker;
  private final PendingCalls pending;

  /** Null if there is none. */
  private volatile @Nullable ClientTransport ready;

  /**
   * No connection.
   *
   * @param tracker notified of all calls
   */
  SingleConnection(CallTracker tracker, PendingCalls pending) {
    this.tracker = trackerOrNull(tracker);
    this.pending = pending;
  }

  @SuppressWarnings("ReferenceEquality") // the constructor that reports nothing
  private static @Nullable CallTracker trackerOrNull(CallTracker tracker) {
    return tracker == CallTracker.NONE ? null : tracker;
  }

  @Override
  public void add(ClientTransport transport, ConnectAttempt opened) {
    ready = transport;
  }

  @Override
  public void remove(ClientTransport transport) {
    READY.compareAndSet(this, transport, null);
  }

  @Override
  public void clear() {
    ready = null;
  }

  @Override
  public @Nullable ClientTransport oldest() {
    return ready;
  }

  @Override
  public boolean start(PendingAttempt attempt) {
    ClientTransport transport = ready;
    if (transport == null) {
      return false;
    }
    attempt.startOn(transport, tracker);
    return true;
  }

  @Override
  public boolean startPending(PendingAttempt attempt) {
    ClientTransport transport = ready;
    if (transport == null) {
      return false;
    }
    if (pending.remove(attempt)) {
      ReadyConnections.startWaited(attempt, transport, tracker);
    }
    return true;
  }

  /** None waits here. */
  @Override
  public void startWaiting() {}
}
