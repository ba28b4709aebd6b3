package dev.gannet.client.balancer;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Each endpoint in its turn; the first one of each picker by chance. */
record RoundRobin(LoadBalancer.Context context) implements ReadyEndpoints.Chooser<CallTracker> {
  static LoadBalancer over(LoadBalancer.Context context) {
    return new ReadyEndpoints<>(context, new RoundRobin(context));
  }

  @Override
  public CallTracker newTracker() {
    return CallTracker.NONE;
  }

  @Override
  public Picker among(List<EndpointChild<CallTracker>> ready) {
    return new InTurn(Pickers.of(ready), new AtomicInteger(context.random().nextInt(ready.size())));
  }

  /** Runs on callers' threads: what they share is one number. */
  private record InTurn(List<Picker> pickers, AtomicInteger next) implements Picker {
    @Override
    public Pick pick(PickArgs args) {
      return pickers
          .get(Integer.remainderUnsigned(next.getAndIncrement(), pickers.size()))
          .pick(args);
    }
  }
}
