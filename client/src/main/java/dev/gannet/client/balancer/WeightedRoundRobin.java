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
  private final LoadReports reports;

  /** Written in the policy's events, read by the weights on all threads. */
  private volatile WeightedRoundRobinSettings settings;

  private final AtomicInteger sequence;
  private Optional<Weighing> current = Optional.empty();
  private Optional<Registration> timer = Optional.empty();

  private record Settings(WeightedRoundRobinSettings weights, LoadReports reports) {}

  private WeightedRoundRobin(LoadBalancer.Context context, Settings settings) {
    this.context = context;
    this.settings = settings.weights();
    this.reports = settings.reports();
    this.sequence = new AtomicInteger(context.random().nextInt());
  }

  static LoadBalancerProvider provider(WeightedRoundRobinSettings settings, LoadReports reports) {
    Settings all = new Settings(settings, reports);
    return new BuiltInPolicy(
        "weighted_round_robin",
        all,
        context -> new ReadyEndpoints<>(context, new WeightedRoundRobin(context, all)),
        config -> provider(settings.with(new ConfigFields(config)), reports));
  }

  /**
   * Weights that were read otherwise cannot be compared, so the reader of reports must be the same.
   */
  @Override
  public boolean onConfig(LoadBalancerProvider config) {
    Optional<WeightedRoundRobinSettings> now =
        BuiltInPolicy.settingsIn(config, Settings.class)
            .filter(it -> it.reports().equals(reports))
            .map(Settings::weights);
    settings = now.orElse(settings);
    if (now.isPresent() && timer.isPresent()) {
      timer.get().close();
      weighLater();
    }
    return now.isPresent();
  }

  @Override
  public EndpointWeight newTracker(Endpoint endpoint) {
    return new EndpointWeight(() -> settings, reports, context::nanoTime);
  }

  @Override
  public void onReady(ReadyEndpoint<EndpointWeight> endpoint) {
    endpoint.tracker().onReady();
  }

  @Override
  public Picker among(List<ReadyEndpoint<EndpointWeight>> ready) {
    ready.forEach(it -> it.tracker().watch(it.subchannel()));
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
