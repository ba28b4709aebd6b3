package dev.gannet.client.subchannel;

import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.tasks.LoopTurn;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientTransport;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one subchannel that accept new calls: at most one, or several in a {@link
 * ConnectionPool}. A {@link SingleConnection} does not change: another one takes its place. A pool
 * changes itself. Connections are added by tasks of the channel, and removed by any thread.
 */
sealed interface ReadyConnections permits SingleConnection, ConnectionPool {
  /**
   * Adds a connection that accepts calls.
   *
   * @return what takes the place of this; a pool returns itself
   */
  ReadyConnections afterAdding(SubchannelConnection connection);

  /**
   * Removes a connection, because it accepts no more calls. Removing it again changes nothing, so
   * that a loop of compare-and-set may repeat it.
   *
   * @return what takes the place of this; a pool returns itself
   */
  ReadyConnections afterRemoving(SubchannelConnection connection);

  /**
   * Removes all connections.
   *
   * @return what takes the place of this; a pool returns itself
   */
  ReadyConnections afterClearing();

  /** The oldest connection; null if there is none. */
  @Nullable SubchannelConnection oldest();

  /** The oldest connection with a free stream, or the oldest if there is none; null without any. */
  default @Nullable SubchannelConnection oldestWithRoom() {
    return oldest();
  }

  /** The number of connections that accept calls. */
  int size();

  /** Starts an attempt that no other thread knows yet; returns false if it has to wait. */
  boolean start(PendingAttempt attempt, Pick.Use pick);

  /**
   * Starts an attempt that is among the {@link PendingCalls}, unless another thread decides about
   * it, or lets it wait for a stream.
   *
   * @return false if there is no connection, so that the next picker decides
   */
  boolean startPending(PendingAttempt attempt, Pick.Use pick);

  /**
   * Takes a stream for a call that is not picked for, even if none is free: the call waits for it
   * on its connection.
   *
   * @param transport of the connection on which the call begins
   * @param call its listener
   * @return the listener that gives the stream back; the same if streams are not counted
   */
  ClientCallEventListener counted(ClientTransport transport, ClientCallEventListener call);

  /** Calls that wait for a stream may start, or another connection may be needed for them. */
  void startWaiting();

  /**
   * Starts an attempt that has waited. A stream of messages is not marshalled on an event loop:
   * nothing limits how many were sent while it waited.
   */
  static void startWaited(
      PendingAttempt attempt,
      ClientTransport transport,
      @Nullable CallTracker tracker,
      Pick.Use pick) {
    if (!attempt.hasSeveralMessages()
        || !LoopTurn.tryLeave(() -> attempt.startOn(transport, tracker, pick))) {
      attempt.startOn(transport, tracker, pick);
    }
  }
}
