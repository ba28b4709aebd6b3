package dev.gannet.client.subchannel;

import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.Pick;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientTransport;
import org.jspecify.annotations.Nullable;

/**
 * The connection for all calls of a subchannel that may have one, if it has it. How many streams
 * its server allows is not looked at here: calls wait for one on the connection. Immutable.
 */
final class SingleConnection implements ReadyConnections {
  private final @Nullable CallTracker tracker;
  private final PendingCalls pending;

  /** Null if there is none. */
  private final @Nullable SubchannelConnection connection;

  /** The connection's transport; here, because each call needs it. */
  private final @Nullable ClientTransport transport;

  /**
   * No connection.
   *
   * @param tracker notified of all calls
   */
  SingleConnection(CallTracker tracker, PendingCalls pending) {
    this(trackerOrNull(tracker), pending, null);
  }

  private SingleConnection(
      @Nullable CallTracker tracker,
      PendingCalls pending,
      @Nullable SubchannelConnection connection) {
    this.tracker = tracker;
    this.pending = pending;
    this.connection = connection;
    this.transport = connection == null ? null : connection.transport();
  }

  @SuppressWarnings("ReferenceEquality") // the constructor that reports nothing
  private static @Nullable CallTracker trackerOrNull(CallTracker tracker) {
    return tracker == CallTracker.NONE ? null : tracker;
  }

  @Override
  public SingleConnection afterAdding(SubchannelConnection opened) {
    return new SingleConnection(tracker, pending, opened);
  }

  @Override
  public SingleConnection afterRemoving(SubchannelConnection closing) {
    return closing.equals(connection) ? afterClearing() : this;
  }

  @Override
  public SingleConnection afterClearing() {
    return new SingleConnection(tracker, pending, null);
  }

  @Override
  public @Nullable SubchannelConnection oldest() {
    return connection;
  }

  @Override
  public int size() {
    return connection == null ? 0 : 1;
  }

  @Override
  public boolean start(PendingAttempt attempt, Pick.Use pick) {
    if (transport == null) {
      return false;
    }
    attempt.startOn(transport, tracker, pick);
    return true;
  }

  @Override
  public boolean startPending(PendingAttempt attempt, Pick.Use pick) {
    if (transport == null) {
      return false;
    }
    if (pending.remove(attempt)) {
      ReadyConnections.startWaited(attempt, transport, tracker, pick);
    }
    return true;
  }

  /** Nothing is counted here. */
  @Override
  public ClientCallEventListener counted(ClientTransport on, ClientCallEventListener call) {
    return call;
  }

  /** None waits here. */
  @Override
  public void startWaiting() {}
}
