package dev.gannet.client;

import dev.gannet.client.balancer.ConnectivityState;
import java.net.SocketAddress;
import java.util.List;

/** The state of one address of a channel at one moment. Immutable; only created by Gannet. */
public final class SubchannelSnapshot {
  /** The values. */
  record Values(
      long id,
      SocketAddress address,
      ConnectivityState state,
      long connectsSucceeded,
      long connectsFailed,
      ChannelTrace trace,
      List<ChannelConnectionSnapshot> connections) {
    Values {
      connections = List.copyOf(connections);
    }
  }

  private final Values values;

  SubchannelSnapshot(Values values) {
    this.values = values;
  }

  /** Its number, which is unique in this process. */
  public long id() {
    return values.id;
  }

  public SocketAddress address() {
    return values.address;
  }

  public ConnectivityState state() {
    return values.state;
  }

  /** The number of connection attempts that succeeded. */
  public long connectsSucceeded() {
    return values.connectsSucceeded;
  }

  /** The number of connection attempts that failed. */
  public long connectsFailed() {
    return values.connectsFailed;
  }

  public ChannelTrace trace() {
    return values.trace;
  }

  /** The open connections, oldest first, including those that accept no more calls. */
  public List<ChannelConnectionSnapshot> connections() {
    return values.connections;
  }

  @Override
  public String toString() {
    return "SubchannelSnapshot" + values.toString().substring("Values".length());
  }
}
