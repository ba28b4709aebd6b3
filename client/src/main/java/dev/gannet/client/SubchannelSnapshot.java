package dev.gannet.client;

import dev.gannet.client.balancer.ConnectivityState;
import java.net.SocketAddress;
import java.util.List;

/**
 * The state of one address of a channel at one moment.
 *
 * @param id its number, which is unique in this process
 * @param connectsSucceeded the number of connection attempts that succeeded
 * @param connectsFailed the number of connection attempts that failed
 * @param connections the open connections, oldest first, including those that accept no more calls
 */
public record SubchannelSnapshot(
    long id,
    SocketAddress address,
    ConnectivityState state,
    long connectsSucceeded,
    long connectsFailed,
    ChannelTrace trace,
    List<ConnectionState> connections) {
  /** The list is copied. */
  public SubchannelSnapshot {
    connections = List.copyOf(connections);
  }
}
