package dev.gannet.client;

import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.subchannel.SubchannelValues;
import java.net.SocketAddress;
import java.util.List;

/** The state of one address of a channel at one moment. Immutable; only created by Gannet. */
public final class SubchannelSnapshot {
  private final SubchannelValues values;

  SubchannelSnapshot(SubchannelValues values) {
    this.values = values;
  }

  /** Its number, which is unique in this process. */
  public long id() {
    return values.id();
  }

  /** The address to which it connects; it never changes. */
  public SocketAddress address() {
    return values.address();
  }

  /**
   * The connectivity state; SHUTDOWN while connections that the policy no longer uses end their
   * calls.
   */
  public ConnectivityState state() {
    return values.state();
  }

  /** The number of connection attempts that succeeded. */
  public long connectsSucceeded() {
    return values.connectsSucceeded();
  }

  /** The number of connection attempts that failed. */
  public long connectsFailed() {
    return values.connectsFailed();
  }

  /** The last events of this subchannel. */
  public ChannelTrace trace() {
    return new ChannelTrace(values.events());
  }

  /** The open connections, oldest first, including those that accept no more calls. */
  public List<ChannelConnectionSnapshot> connections() {
    return values.connections().stream().map(ChannelConnectionSnapshot::new).toList();
  }

  @Override
  public String toString() {
    return "SubchannelSnapshot[id="
        + id()
        + ", address="
        + address()
        + ", state="
        + state()
        + ", connectsSucceeded="
        + connectsSucceeded()
        + ", connectsFailed="
        + connectsFailed()
        + ", trace="
        + trace()
        + ", connections="
        + connections()
        + "]";
  }
}
