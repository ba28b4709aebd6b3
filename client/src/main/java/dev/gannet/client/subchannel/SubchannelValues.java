package dev.gannet.client.subchannel;

import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.journal.EventLog;
import java.net.SocketAddress;
import java.util.List;

/**
 * A subchannel at one moment, for diagnostics.
 *
 * @param id its number, which is unique in this process
 * @param connectsSucceeded the number of connection attempts that succeeded
 * @param connectsFailed the number of connection attempts that failed
 * @param connections the open ones, oldest first, including those that accept no more calls
 */
public record SubchannelValues(
    long id,
    SocketAddress address,
    ConnectivityState state,
    long connectsSucceeded,
    long connectsFailed,
    EventLog.Kept events,
    List<ConnectionValues> connections) {
  public SubchannelValues {
    connections = List.copyOf(connections);
  }
}
