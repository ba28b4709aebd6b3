package dev.gannet.client.balancer;

import dev.gannet.client.resolver.Endpoint;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Uses each endpoint in turn; each picker starts with a random one. */
record RoundRobin(LoadBalancer.Context context) implements EndpointChooser<CallTracker> {
  /** The provider; the policy has no settings. */
  static LoadBalancerProvider provider() {
    return new BuiltInPolicy(
        "round_robin",
        List.of(),
        context -> new ReadyEndpoints<>(context, new RoundRobin(context)),
        config -> provider());
  }

  @Override
  public CallTracker newTracker(Endpoint endpoint) {
    return CallTracker.NONE;
  }

  @Override
  public Picker among(List<ReadyEndpoint<CallTracker>> ready) {
    return new InTurn(Pickers.of(ready), new AtomicInteger(context.random().nextInt(ready.size())));
  }

  /** Runs on callers' threads, which only share a counter. */
  private record InTurn(List<Picker> pickers, AtomicInteger next) implements Picker {
    @Override
    public Pick pick(PickArgs args) {
      return pickers
          .get(Integer.remainderUnsigned(next.getAndIncrement(), pickers.size()))
          .pick(args);
    }
  }
}
