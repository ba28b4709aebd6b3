package dev.gannet.client.subchannel;

import dev.gannet.client.tasks.SerialTasks;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The open connections to one address, in whatever {@linkplain ConnectionValues.Phase phase}, and
 * the number of connections that are being opened.
 *
 * <p>Changed in the channel's {@link SerialTasks}; any thread may read the states.
 */
final class OpenConnections {
  private final Set<SubchannelConnection> all = ConcurrentHashMap.newKeySet();

  /** The number of attempts that may still open a connection; only used in tasks. */
  private int opening;

  void onOpening() {
    opening++;
  }

  /** The connection was added, or there will be none. */
  void onOpeningEnded() {
    opening--;
  }

  void add(SubchannelConnection opened) {
    all.add(opened);
  }

  void remove(SubchannelConnection closed) {
    all.remove(closed);
  }

  /** Whether no connection is open, and none is being opened. */
  boolean areOver() {
    return all.isEmpty() && opening == 0;
  }

  /** The connections in the order of their creation, so that simulations are repeatable. */
  List<SubchannelConnection> inOrder() {
    return all.stream().sorted(Comparator.comparingLong(SubchannelConnection::id)).toList();
  }

  /** The states of the connections, in the same order. Any thread. */
  List<ConnectionValues> values() {
    return inOrder().stream().map(SubchannelConnection::values).toList();
  }
}
