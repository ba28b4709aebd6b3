package dev.gannet.client.balancer;

import dev.gannet.api.Registration;
import dev.gannet.client.resolver.Endpoint;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Uses endpoints in turn, in proportion to the capacity that their reports show (gRFC A58). */
final class WeightedRoundRobin implements EndpointChooser<EndpointWeight> {
  private final LoadBalancer.Context context;
  private final WeightedRoundRobinSettings settings;
  private final LoadReports reports;
  private final AtomicInteger sequence;
  private Optional<Weighing> current = Optional.empty();
  private Optional<Registration> timer = Optional.empty();

  private WeightedRoundRobin(
      LoadBalancer.Context context, WeightedRoundRobinSettings settings, LoadReports reports) {
    this.context = context;
    this.settings = settings;
    this.reports = reports;
    this.sequence = new AtomicInteger(context.random().nextInt());
  }

  static LoadBalancerProvider provider(WeightedRoundRobinSettings settings, LoadReports reports) {
    return new BuiltInPolicy(
        "weighted_round_robin",
        List.of(settings, reports),
        context ->
            new ReadyEndpoints<>(context, new WeightedRoundRobin(context, settings, reports)),
        config -> provider(settings.with(new ConfigFields(config)), reports));
  }

  @Override
  public EndpointWeight newTracker(Endpoint endpoint) {
    return new EndpointWeight(settings, reports, context::nanoTime);
  }

  @Override
  public void onReady(ReadyEndpoint<EndpointWeight> endpoint) {
    endpoint.tracker().onReady();
    endpoint.tracker().watch(endpoint.subchannel());
  }

  @Override
  public Picker among(List<ReadyEndpoint<EndpointWeight>> ready) {
    Weighing made =
        new Weighing(
            Pickers.of(ready),
            ready.stream().map(ReadyEndpoint::tracker).toArray(EndpointWeight[]::new),
            sequence);
    current = Optional.of(made);
    made.weigh(context.nanoTime());
    if (timer.isEmpty()) {
      weighLater();
    }
    return made;
  }

  private void weighLater() {
    timer = Optional.of(context.schedule(this::weigh, settings.weightUpdatePeriod()));
  }

  private void weigh() {
    current.ifPresent(it -> it.weigh(context.nanoTime()));
    weighLater();
  }

  @Override
  public void shutdown() {
    timer.ifPresent(Registration::close);
  }

  /** Endpoints and the current schedule. */
  private static final class Weighing implements Picker {
    private final List<Picker> pickers;
    private final EndpointWeight[] weights;
    private final AtomicInteger sequence;

    /** Empty while fewer than two weights are known: then all endpoints have the same weight. */
    private volatile Optional<StaticStride> stride = Optional.empty();

    Weighing(List<Picker> pickers, EndpointWeight[] weights, AtomicInteger sequence) {
      this.pickers = pickers;
      this.weights = weights;
      this.sequence = sequence;
    }

    void weigh(long nowNanos) {
      double[] now = Arrays.stream(weights).mapToDouble(it -> it.at(nowNanos)).toArray();
      boolean known = Arrays.stream(now).filter(it -> it > 0).count() >= 2;
      stride = known ? Optional.of(new StaticStride(now, sequence)) : Optional.empty();
    }

    @Override
    public Pick pick(PickArgs args) {
      Optional<StaticStride> turns = stride;
      int index =
          turns.isPresent()
              ? turns.get().next()
              : Integer.remainderUnsigned(sequence.getAndIncrement(), pickers.size());
      return pickers.get(index).pick(args);
    }
  }
}
