package dev.gannet.suites;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.balancer.SubchannelState;
import dev.gannet.client.resolver.Resolution;
import org.jspecify.annotations.Nullable;

/** A policy as an application might write it: one connection to the first address. */
final class OneConnection implements LoadBalancer {
  private final Context context;
  private @Nullable Subchannel subchannel;

  private OneConnection(Context context) {
    this.context = context;
  }

  /** As an application gives it to the builder. */
  static final class Provider implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "one_connection";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return new OneConnection(context);
    }
  }

  @Override
  public void onResolved(Resolution.Resolved resolved) {
    if (subchannel == null) {
      subchannel =
          context.createSubchannel(
              resolved.endpoints().getFirst().perAddress().getFirst(), this::onSubchannel);
      subchannel.connect();
      context.updateState(ConnectivityState.CONNECTING, Picker.queueing());
    }
  }

  private void onSubchannel(Subchannel changed, SubchannelState now) {
    if (now.connectivity() == ConnectivityState.READY) {
      Pick use = Pick.use(changed);
      context.updateState(ConnectivityState.READY, args -> use);
    } else if (now.failure().isPresent()) {
      context.updateState(ConnectivityState.TRANSIENT_FAILURE, Picker.failing(now.failure().get()));
    } else {
      context.updateState(now.connectivity(), Picker.queueing());
    }
  }

  @Override
  public void onResolutionFailed(Status why) {
    if (subchannel == null) {
      context.updateState(ConnectivityState.TRANSIENT_FAILURE, Picker.failing(why));
    }
  }

  @Override
  public void exitIdle() {
    if (subchannel != null) {
      subchannel.connect();
    }
  }

  @Override
  public void shutdown() {
    if (subchannel != null) {
      subchannel.shutdown();
    }
  }
}
