package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.balancer.SubchannelState;
import dev.gannet.client.resolver.Resolution;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A second policy, as an application might write it: all connections that are ready, in turn. */
public final class EveryAddressInTurn implements LoadBalancer {
  private final Context context;
  private final Map<Subchannel, SubchannelState> states = new LinkedHashMap<>();

  public EveryAddressInTurn(Context context) {
    this.context = context;
  }

  /** As {@code ServiceLoader} finds it. */
  public static final class Found implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "round_robin";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return new EveryAddressInTurn(context);
    }
  }

  @Override
  public void onResolved(Resolution.Resolved resolved) {
    states.keySet().forEach(Subchannel::shutdown);
    states.clear();
    for (var endpoint : resolved.endpoints()) {
      Subchannel made =
          context.createSubchannel(endpoint.perAddress().getFirst(), this::onSubchannel);
      states.put(made, SubchannelState.IDLE);
      made.connect();
    }
  }

  private void onSubchannel(Subchannel subchannel, SubchannelState now) {
    states.replace(subchannel, now);
    if (now.connectivity() == ConnectivityState.IDLE) {
      subchannel.connect();
    }
    List<Pick.Use> ready =
        states.entrySet().stream()
            .filter(it -> it.getValue().connectivity() == ConnectivityState.READY)
            .map(it -> Pick.use(it.getKey()))
            .toList();
    if (!ready.isEmpty()) {
      AtomicInteger next = new AtomicInteger();
      context.updateState(
          ConnectivityState.READY,
          args -> ready.get(Math.floorMod(next.getAndIncrement(), ready.size())));
    } else if (states.values().stream().allMatch(it -> it.failure().isPresent())) {
      context.updateState(
          ConnectivityState.TRANSIENT_FAILURE, Picker.failing(now.failure().orElseThrow()));
    } else {
      context.updateState(ConnectivityState.CONNECTING, Picker.queueing());
    }
  }

  @Override
  public void onResolutionFailed(Status why) {
    if (states.isEmpty()) {
      context.updateState(ConnectivityState.TRANSIENT_FAILURE, Picker.failing(why));
    }
  }

  @Override
  public void exitIdle() {}

  @Override
  public void shutdown() {}
}
