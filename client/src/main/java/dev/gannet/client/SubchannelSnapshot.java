package dev.gannet.client;

import dev.gannet.client.balancer.ConnectivityState;
import java.net.SocketAddress;
import java.util.List;

/**
 * One address of a channel at one moment.
 *
 * @param id its number, which nothing else of this process has
 * @param connectsSucceeded how many attempts to connect have led to a connection that carries calls
 * @param connectsFailed how many have not
 * @param connections those that are open, oldest first, also those that take no more calls
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
