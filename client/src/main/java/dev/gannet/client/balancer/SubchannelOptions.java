package dev.gannet.client.balancer;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of a subchannel, for {@link LoadBalancer.Context#createSubchannel(
 * dev.gannet.client.resolver.Endpoint, Subchannel.Listener, SubchannelOptions)}. A policy that
 * wraps another one ({@link ForwardingContext}) passes on the options of its child, with its own
 * changes, so that options that it does not know are kept. Immutable: each {@code with} method
 * returns a new object.
 */
public final class SubchannelOptions {
  /** The calls over the subchannel are not observed. */
  public static final SubchannelOptions DEFAULT = new SubchannelOptions(CallTracker.NONE);

  private final CallTracker callTracker;

  private SubchannelOptions(CallTracker callTracker) {
    this.callTracker = callTracker;
  }

  /**
   * Observes the calls over the subchannel, in place of the previous tracker. A policy that adds
   * its own to that of its child sets {@link CallTracker#both}. By default {@link
   * CallTracker#NONE}.
   */
  public SubchannelOptions withCallTracker(CallTracker tracker) {
    return new SubchannelOptions(Objects.requireNonNull(tracker, "tracker"));
  }

  /** Observes the calls over the subchannel; {@link CallTracker#NONE} if nothing does. */
  public CallTracker callTracker() {
    return callTracker;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SubchannelOptions that && callTracker.equals(that.callTracker);
  }

  @Override
  public int hashCode() {
    return callTracker.hashCode();
  }

  @Override
  public String toString() {
    return "SubchannelOptions[callTracker=" + callTracker + "]";
  }
}
