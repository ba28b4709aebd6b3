package dev.gannet.client;

import dev.gannet.client.balancer.ConnectivityState;
import java.util.List;

/**
 * The state of a channel at one moment; see {@link ManagedChannel#snapshot}. Its parts are read one
 * after the other, while the channel continues.
 *
 * @param id its number, which is unique among channels, subchannels, connections and servers of
 *     this process
 * @param target the target of the channel
 * @param callsWaiting how many calls wait for a connection, or for a stream on one of several
 *     connections
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
