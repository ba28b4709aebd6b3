package dev.gannet.client.balancer;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.resolver.Endpoint;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** Chooses some endpoints at random, and uses the one with the fewest calls (gRFC A48). */
final class LeastRequest implements EndpointChooser<LeastRequest.ActiveCalls> {
  static final int DEFAULT_CHOICES = 2;
  private static final int MAX_CHOICES = 10;

  private final RandomGenerator random;
  private Settings settings;

  /** How many endpoints are chosen at random. */
  private record Settings(int choices) {}

  private LeastRequest(RandomGenerator random, Settings settings) {
    this.random = random;
    this.settings = settings;
  }

  /**
   * The provider.
   *
   * @throws IllegalArgumentException if there are fewer than two choices
   */
  static LoadBalancerProvider provider(int choices) {
    if (choices < 2) {
      throw new IllegalArgumentException("least_request needs at least 2 choices: " + choices);
    }
    Settings settings = new Settings(Math.min(choices, MAX_CHOICES));
    return new BuiltInPolicy(
        "least_request_experimental",
        settings,
        context -> new ReadyEndpoints<>(context, new LeastRequest(context.random(), settings)),
        config ->
            new ConfigFields(config)
                .integer("choiceCount", provider(settings.choices()), LeastRequest::provider));
  }

  /** The number of running calls of an endpoint; kept while the endpoint is listed. */
  static final class ActiveCalls implements CallTracker, TrackedCall {
    private final AtomicInteger number = new AtomicInteger();

    @Override
    public TrackedCall onStarted(PickArgs call) {
      number.incrementAndGet();
      return this;
    }

    @Override
    public void onEnded(Status status, Metadata trailers) {
      number.decrementAndGet();
    }

    int number() {
      return number.get();
    }
  }

  @Override
  public boolean onConfig(LoadBalancerProvider config) {
    Optional<Settings> now = BuiltInPolicy.settingsIn(config, Settings.class);
    settings = now.orElse(settings);
    return now.isPresent();
  }

  @Override
  public ActiveCalls newTracker(Endpoint endpoint) {
    return new ActiveCalls();
  }

  @Override
  public Picker among(List<ReadyEndpoint<ActiveCalls>> ready) {
    List<ActiveCalls> calls = ready.stream().map(ReadyEndpoint::tracker).toList();
    return new Fewest(Pickers.of(ready), calls, random, settings.choices());
  }

  private record Fewest(
      List<Picker> pickers, List<ActiveCalls> calls, RandomGenerator random, int choices)
      implements Picker {
    @Override
    public Pick pick(PickArgs args) {
      int best = random.nextInt(pickers.size());
      for (int i = 1; i < choices; i++) {
        int other = random.nextInt(pickers.size());
        if (calls.get(other).number() < calls.get(best).number()) {
          best = other;
        }
      }
      return pickers.get(best).pick(args);
    }
  }
}
