package dev.gannet.client.subchannel;

import dev.gannet.client.tasks.SerialTasks;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.EntityIds;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The open connections to one address, in whatever {@linkplain ConnectionValues.Phase phase}, and
 * the number of connections that are being opened.
 *
 * <p>Changed in the channel's {@link SerialTasks}; any thread may read the states, and report that
 * a connection is draining.
 */
final class OpenConnections {
  private final Map<ClientTransport, OpenConnection> all = new ConcurrentHashMap<>();

  /** The number of attempts that may still open a connection; only used in tasks. */
  private int opening;

  /** An open connection, and its phase. */
  private static final class OpenConnection {
    private final long id = EntityIds.next();
    private final ConnectAttempt attempt;
    private volatile ConnectionValues.Phase phase = ConnectionValues.Phase.STARTING;

    OpenConnection(ConnectAttempt attempt) {
      this.attempt = attempt;
    }

    ConnectionValues valuesOf(ClientTransport transport) {
      ConnectionInfo info = transport.connection();
      long most = attempt.maxConcurrentStreams();
      return new ConnectionValues(
          id,
          info.localAddress(),
          info.remoteAddress(),
          info.tls(),
          phase,
          most == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(most),
          transport.callsWaiting());
    }
  }

  void onOpening() {
    opening++;
  }

  /** The connection was added, or there will be none. */
  void onOpeningEnded() {
    opening--;
  }

  /** Adds a connection that is STARTING. */
  void add(ClientTransport transport, ConnectAttempt attempt) {
    all.put(transport, new OpenConnection(attempt));
  }

  /** The connection is in this phase, if it is still open. Any thread. */
  void become(ConnectionValues.Phase phase, ClientTransport transport) {
    OpenConnection open = all.get(transport);
    if (open != null) {
      open.phase = phase;
    }
  }

  /** The attempt that has opened the connection, which is still open. */
  ConnectAttempt openedBy(ClientTransport transport) {
    return Objects.requireNonNull(all.get(transport)).attempt;
  }

  void remove(ClientTransport transport) {
    all.remove(transport);
  }

  /** Whether no connection is open, and none is being opened. */
  boolean areOver() {
    return all.isEmpty() && opening == 0;
  }

  /** The connections in the order of their creation, so that simulations are repeatable. */
  List<ClientTransport> inOrder() {
    return all.entrySet().stream()
        .sorted(Comparator.comparingLong(it -> it.getValue().id))
        .<ClientTransport>map(Map.Entry::getKey)
        .toList();
  }

  /** Their states, in the same order. Any thread. */
  List<ConnectionValues> values() {
    return all.entrySet().stream()
        .map(it -> it.getValue().valuesOf(it.getKey()))
        .sorted(Comparator.comparingLong(ConnectionValues::id))
        .toList();
  }
}
