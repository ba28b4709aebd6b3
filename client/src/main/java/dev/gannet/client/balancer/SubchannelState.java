package dev.gannet.client.balancer;

import dev.gannet.api.Status;
import java.util.Optional;

/** The state of a subchannel and, if it has failed, the reason. Immutable. */
public final class SubchannelState {
  /** No connection; {@link Subchannel#connect} makes one. */
  public static final SubchannelState IDLE = new SubchannelState(ConnectivityState.IDLE);

  /** A connection is being made. */
  public static final SubchannelState CONNECTING =
      new SubchannelState(ConnectivityState.CONNECTING);

  /** There is a connection that carries calls. */
  public static final SubchannelState READY = new SubchannelState(ConnectivityState.READY);

  private final ConnectivityState connectivity;
  private final Optional<Status> failure;

  private SubchannelState(ConnectivityState connectivity) {
    this.connectivity = connectivity;
    this.failure = Optional.empty();
  }

  private SubchannelState(Status failure) {
    this.connectivity = ConnectivityState.TRANSIENT_FAILURE;
    this.failure = Optional.of(failure);
  }

  /** No connection could be made, and none is tried before the backoff is over. */
  public static SubchannelState failed(Status why) {
    return new SubchannelState(why);
  }

  /** The state without its reason; never SHUTDOWN. */
  public ConnectivityState connectivity() {
    return connectivity;
  }

  /** Why no connection could be made; empty unless this is TRANSIENT_FAILURE. */
  public Optional<Status> failure() {
    return failure;
  }

  @Override
  public String toString() {
    return connectivity + failure.map(why -> " (" + why + ")").orElse("");
  }
}
