package dev.gannet.client.balancer;

import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Counts the results of the calls to each endpoint, and temporarily ejects endpoints that fail more
 * often than others (gRFC A50). The child policy distributes calls over the rest. Nothing is
 * counted or ejected if the child does not {@linkplain LoadBalancerProvider#distributesCalls
 * distribute calls}, as {@code pick_first}.
 */
final class OutlierDetection extends ForwardingLoadBalancer implements ForwardingContext {
  private static final String NAME = "outlier_detection_experimental";

  /** The provider whose child is missing. */
  static final LoadBalancerProvider UNCONFIGURED =
      new NeedsConfig(
          NAME, config -> configured(OutlierDetectionSettings.DEFAULT, new ConfigFields(config)));

  /** Evaluations that follow each other at once would keep the channel busy. */
  private static final Duration MIN_INTERVAL = Duration.ofMillis(10);

  private static final int PERCENT = 100;
  private static final double THOUSAND = 1000;

  private final Context context;
  private final ReplaceableChild child;
  private final boolean counts;
  private OutlierDetectionSettings settings;
  private final Map<EndpointKey, OutlierEndpoint> endpoints = new LinkedHashMap<>();
  private final Map<EndpointKey, OutlierEndpoint> byAddress = new HashMap<>();
  private Optional<Registration> timer = Optional.empty();
  private long intervalBeganNanos;

  private record Settings(OutlierDetectionSettings settings, LoadBalancerProvider child) {
    /** Whether calls are counted, and endpoints may be ejected. */
    boolean counts() {
      return child.distributesCalls()
          && (settings.successRate().isPresent() || settings.failurePercentage().isPresent());
    }
  }

  private OutlierDetection(Context context, Settings all) {
    this.context = context;
    this.settings = all.settings();
    this.counts = all.counts();
    this.child = new ReplaceableChild(this);
    child.use(all.child());
  }

  @Override
  protected LoadBalancer delegate() {
    return child;
  }

  static LoadBalancerProvider provider(
      OutlierDetectionSettings settings, LoadBalancerProvider child) {
    Settings all = new Settings(settings, child);
    return new BuiltInPolicy(
        NAME,
        all,
        context -> new OutlierDetection(context, all),
        config -> configured(settings, new ConfigFields(config)),
        child.distributesCalls());
  }

  private static LoadBalancerProvider configured(
      OutlierDetectionSettings settings, ConfigFields config) {
    return provider(settings.with(config), config.childPolicy());
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public Subchannel createSubchannel(
      Endpoint endpoint, Subchannel.Listener listener, SubchannelOptions options) {
    OutlierEndpoint counted = byAddress.get(EndpointKey.of(endpoint));
    if (!counts || counted == null) {
      return context.createSubchannel(endpoint, listener, options);
    }
    CallTracker both = CallTracker.both(counted, options.callTracker());
    return context.createSubchannel(
        endpoint, counted.watch(listener), options.withCallTracker(both));
  }

  @Override
  public void onResolved(Resolution.Resolved resolved) {
    if (resolved.endpoints().isEmpty()) {
      onNoEndpoints(LeftEndpoints.NONE); // a child that keeps its endpoints keeps their ejections
      return;
    }
    Map<EndpointKey, OutlierEndpoint> before = new HashMap<>(endpoints);
    endpoints.clear();
    byAddress.clear();
    for (Endpoint endpoint : resolved.endpoints()) {
      EndpointKey key = EndpointKey.of(endpoint);
      OutlierEndpoint known = before.getOrDefault(key, new OutlierEndpoint());
      endpoints.put(key, known);
      endpoint.perAddress().forEach(it -> byAddress.put(EndpointKey.of(it), known));
    }
    if (counts && timer.isEmpty()) {
      beginInterval(context.nanoTime());
    }
    child.onResolved(resolved);
  }

  /**
   * Ejections and counts stay. Whether calls are counted at all cannot change: the subchannels have
   * been created with counters, or without.
   */
  @Override
  public boolean onConfig(LoadBalancerProvider config) {
    Optional<Settings> now =
        BuiltInPolicy.settingsIn(config, Settings.class).filter(it -> it.counts() == counts);
    now.ifPresent(it -> {
      settings = it.settings();
      if (timer.isPresent()) {
        timer.get().close();
        judgeLater(context.nanoTime());
      }
      child.use(it.child());
    });
    return now.isPresent();
  }

  private void beginInterval(long nowNanos) {
    intervalBeganNanos = nowNanos;
    judgeLater(nowNanos);
  }

  /** At the end of the interval, whose length may have changed since its beginning. */
  private void judgeLater(long nowNanos) {
    Duration interval = settings.interval();
    Duration bounded = interval.compareTo(MIN_INTERVAL) < 0 ? MIN_INTERVAL : interval;
    Duration rest = bounded.minusNanos(nowNanos - intervalBeganNanos);
    timer = Optional.of(context.schedule(this::judge, rest.isNegative() ? Duration.ZERO : rest));
  }

  private void judge() {
    long nowNanos = context.nanoTime();
    beginInterval(nowNanos);
    endpoints.values().forEach(OutlierEndpoint::count);
    settings.successRate().ifPresent(rule -> ejectBySuccess(rule, nowNanos));
    settings.failurePercentage().ifPresent(rule -> ejectByFailure(rule, nowNanos));
    endpoints.values().forEach(it -> it.onInterval(nowNanos, settings));
  }

  private void ejectBySuccess(OutlierDetectionSettings.SuccessRate rule, long nowNanos) {
    List<OutlierEndpoint> judged = withCalls(rule.requestVolume());
    if (judged.isEmpty() || judged.size() < rule.minimumHosts()) {
      return;
    }
    double mean =
        judged.stream().mapToDouble(OutlierEndpoint::successShare).average().orElseThrow();
    double variance =
        judged.stream()
            .mapToDouble(it -> Math.pow(it.successShare() - mean, 2))
            .average()
            .orElseThrow();
    double least = mean - Math.sqrt(variance) * rule.stdevFactor() / THOUSAND;
    for (OutlierEndpoint endpoint : judged) {
      if (mayEject()
          && !endpoint.isEjected()
          && endpoint.successShare() < least
          && drawEnforcement(rule.enforcementPercentage())) {
        endpoint.eject(nowNanos);
      }
    }
  }

  private void ejectByFailure(OutlierDetectionSettings.FailurePercentage rule, long nowNanos) {
    List<OutlierEndpoint> judged = withCalls(rule.requestVolume());
    if (judged.size() < rule.minimumHosts()) {
      return;
    }
    for (OutlierEndpoint endpoint : judged) {
      if (mayEject()
          && !endpoint.isEjected()
          && endpoint.failurePercentage() > rule.threshold()
          && drawEnforcement(rule.enforcementPercentage())) {
        endpoint.eject(nowNanos);
      }
    }
  }

  private List<OutlierEndpoint> withCalls(int least) {
    return endpoints.values().stream().filter(it -> it.calls() > 0 && it.calls() >= least).toList();
  }

  private boolean mayEject() {
    long ejected = endpoints.values().stream().filter(OutlierEndpoint::isEjected).count();
    return PERCENT * ejected < (long) settings.maxEjectionPercent() * endpoints.size();
  }

  /** Draws whether an endpoint that fails too often is ejected. */
  private boolean drawEnforcement(int percentage) {
    return context.random().nextInt(PERCENT) < percentage;
  }

  @Override
  public boolean onNoEndpoints(Status why) {
    boolean givenUp = super.onNoEndpoints(why);
    if (givenUp) {
      endpoints.clear();
      byAddress.clear();
    }
    return givenUp;
  }

  @Override
  public void shutdown() {
    timer.ifPresent(Registration::close);
    super.shutdown();
  }
}
