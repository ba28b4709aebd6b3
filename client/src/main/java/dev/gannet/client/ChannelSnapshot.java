package dev.gannet.client;

import dev.gannet.client.balancer.ConnectivityState;
import java.util.List;

/**
 * A channel at one moment; see {@link ManagedChannel#snapshot}. Its parts are looked at one after
 * the other, while the channel goes on.
 *
 * @param id its number, which no other channel, subchannel, connection or server of this process
 *     has
 * @param target what it was made for
 * @param callsWaiting how many calls wait for a connection, or for a stream of one of several
 * @param subchannels those that are not shut down, and those that still have connections
 */
public record ChannelSnapshot(
    long id,
    String target,
    ConnectivityState state,
    CallCounts calls,
    int callsWaiting,
    int maxConnectionsPerSubchannel,
    ChannelTrace trace,
    List<SubchannelSnapshot> subchannels) {
  /** The list is copied. */
  public ChannelSnapshot {
    subchannels = List.copyOf(subchannels);
  }
}
