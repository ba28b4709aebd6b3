package dev.gannet.client;

import dev.gannet.client.balancer.ConnectivityState;
import java.util.List;

/**
 * The state of a channel at one moment; see {@link ManagedChannel#snapshot}. Its parts are read one
 * after the other, while the channel continues. Immutable; only created by Gannet.
 */
public final class ChannelSnapshot {
  /** The values. */
  record Values(
      long id,
      String target,
      ConnectivityState state,
      ChannelCallCounts calls,
      int pendingCalls,
      int maxConnectionsPerSubchannel,
      ChannelTrace trace,
      List<SubchannelSnapshot> subchannels) {
    Values {
      subchannels = List.copyOf(subchannels);
    }
  }

  private final Values values;

  ChannelSnapshot(Values values) {
    this.values = values;
  }

  /**
   * Its number, which is unique among channels, subchannels, connections and servers of this
   * process.
   */
  public long id() {
    return values.id;
  }

  /** The target of the channel. */
  public String target() {
    return values.target;
  }

  /** The connectivity state, as {@link ManagedChannel#state()} returns it. */
  public ConnectivityState state() {
    return values.state;
  }

  /** The numbers of calls since the channel was created. */
  public ChannelCallCounts calls() {
    return values.calls;
  }

  /** How many calls wait for a connection, or for a stream on one of several connections. */
  public int pendingCalls() {
    return values.pendingCalls;
  }

  /**
   * How many connections to one address may carry calls, 1 to 10: that of the service config, or
   * else of {@link ManagedChannelBuilder#maxConnectionsPerSubchannel}.
   */
  public int maxConnectionsPerSubchannel() {
    return values.maxConnectionsPerSubchannel;
  }

  /** The last events of the channel itself; its subchannels have their own. */
  public ChannelTrace trace() {
    return values.trace;
  }

  /** The subchannels that are not shut down, or still have connections. */
  public List<SubchannelSnapshot> subchannels() {
    return values.subchannels;
  }

  @Override
  public String toString() {
    return "ChannelSnapshot" + values.toString().substring("Values".length());
  }
}
