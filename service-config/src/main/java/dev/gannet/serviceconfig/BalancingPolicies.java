package dev.gannet.serviceconfig;

import dev.gannet.client.balancer.AddressOrder;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.OutlierDetectionSettings;
import dev.gannet.client.balancer.RingHashSettings;
import dev.gannet.client.balancer.WeightedRoundRobinSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads {@code loadBalancingConfig}: the first known policy of the list. */
final class BalancingPolicies {
  private static final ClassLoader LOADER = LoadBalancerProvider.class.getClassLoader();
  private static final int MAX_CHOICES = 10;
  private static final Duration OOB_PERIOD = Duration.ofSeconds(10);

  /** The built-in policies, as {@link #builtIn} knows them. */
  private static final List<String> NAMES =
      List.of(
          "pick_first",
          "round_robin",
          "least_request_experimental",
          "ring_hash_experimental",
          "weighted_round_robin",
          "outlier_detection_experimental",
          "random_subsetting_experimental");

  private final List<LoadBalancerProvider> others;

  /** Knows the policies of the client, those that {@code ServiceLoader} finds, and these. */
  BalancingPolicies(List<LoadBalancerProvider> others) {
    this.others = List.copyOf(others);
  }

  /** A policy that is equal to another one with the same settings. */
  record Configured(
      String policyName, Map<String, Object> settings, Equal<LoadBalancerProvider> made)
      implements LoadBalancerProvider {
    /** The provider that has read the settings. */
    LoadBalancerProvider provider() {
      return made.value;
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return provider().create(context);
    }
  }

  /** A value that is ignored in comparisons. */
  record Equal<T>(T value) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Equal;
    }

    @Override
    public int hashCode() {
      return 0;
    }
  }

  LoadBalancerProvider first(JsonField list) {
    List<String> unknown = new ArrayList<>();
    for (JsonField each : list.list()) {
      if (each.object().size() != 1) {
        throw each.fault("must have one field, the policy's name");
      }
      String name = each.object().keySet().iterator().next();
      JsonField settings = each.required(name);
      settings.object();
      Optional<LoadBalancerProvider> found = settings.checked(it -> policy(name, it));
      if (found.isPresent()) {
        return new Configured(name, settings.object(), new Equal<>(found.get()));
      }
      unknown.add(name);
    }
    throw list.fault(
        "names no known policy: " + String.join(", ", unknown) + "; known are " + knownNames());
  }

  /** A policy from {@code loadBalancingPolicy}, which is older and has no settings. */
  LoadBalancerProvider named(JsonField name) {
    String lower = name.text().toLowerCase(Locale.ROOT);
    JsonField none = new JsonField(name.path(), Map.of());
    LoadBalancerProvider found =
        own(lower)
            .or(() -> builtIn(lower, none))
            .orElseThrow(() -> name.fault("is not a known policy; known are " + knownNames()));
    return new Configured(lower, Map.of(), new Equal<>(found));
  }

  private String knownNames() {
    return Stream.concat(own().map(LoadBalancerProvider::policyName), NAMES.stream())
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private Optional<LoadBalancerProvider> policy(String name, JsonField settings) {
    JsonPolicyConfig config = new JsonPolicyConfig(settings, this);
    return own(name)
        .filter(it -> it.priority() >= 0) // that of the built-in ones
        .map(it -> it.configured(config))
        .or(() -> builtIn(name, settings))
        .or(() -> own(name).map(it -> it.configured(config)));
  }

  /**
   * A policy that is not built in: given by the caller, or the one with the highest priority that
   * {@code ServiceLoader} finds.
   */
  private Optional<LoadBalancerProvider> own(String name) {
    return own().filter(it -> it.policyName().equals(name)).findFirst();
  }

  private Stream<LoadBalancerProvider> own() {
    Stream<LoadBalancerProvider> found =
        ServiceLoader.load(LoadBalancerProvider.class, LOADER).stream()
            .map(ServiceLoader.Provider::get)
            .sorted(Comparator.comparingInt(LoadBalancerProvider::priority).reversed());
    return Stream.concat(others.stream(), found);
  }

  private Optional<LoadBalancerProvider> builtIn(String name, JsonField settings) {
    return switch (name) {
      case "pick_first" -> Optional.of(pickFirst(settings));
      case "round_robin" -> Optional.of(LoadBalancerProvider.roundRobin());
      case "least_request_experimental" -> Optional.of(leastRequest(settings));
      case "ring_hash_experimental" -> Optional.of(ringHash(settings));
      case "weighted_round_robin" -> Optional.of(weightedRoundRobin(settings));
      case "outlier_detection_experimental" -> Optional.of(outlierDetection(settings));
      case "random_subsetting_experimental" -> Optional.of(randomSubsetting(settings));
      default -> Optional.empty();
    };
  }

  private static LoadBalancerProvider pickFirst(JsonField settings) {
    boolean shuffled = settings.field("shuffleAddressList").map(JsonField::bool).orElse(false);
    return LoadBalancerProvider.pickFirst(
        shuffled ? AddressOrder.SHUFFLED : AddressOrder.AS_RESOLVED);
  }

  private static LoadBalancerProvider leastRequest(JsonField settings) {
    int choices = settings.field("choiceCount").map(JsonField::integer).orElse(2);
    return LoadBalancerProvider.leastRequest(Math.min(choices, MAX_CHOICES));
  }

  private static LoadBalancerProvider ringHash(JsonField settings) {
    RingHashSettings ring = RingHashSettings.DEFAULT;
    int min = settings.field("minRingSize").map(JsonField::integer).orElse(ring.minRingSize());
    int max = settings.field("maxRingSize").map(JsonField::integer).orElse(ring.maxRingSize());
    ring = ring.withRingSizes(min, max);
    Optional<JsonField> header = settings.field("requestHashHeader");
    return LoadBalancerProvider.ringHash(
        header.isPresent() ? ring.withRequestHashHeader(header.get().text()) : ring);
  }

  private static LoadBalancerProvider weightedRoundRobin(JsonField settings) {
    WeightedRoundRobinSettings read = WeightedRoundRobinSettings.DEFAULT;
    read = durationOr(settings, "blackoutPeriod", read, read::withBlackoutPeriod);
    read = durationOr(settings, "weightExpirationPeriod", read, read::withWeightExpirationPeriod);
    read = durationOr(settings, "weightUpdatePeriod", read, read::withWeightUpdatePeriod);
    Optional<JsonField> penalty = settings.field("errorUtilizationPenalty");
    if (penalty.isPresent()) {
      read = read.withErrorUtilizationPenalty(penalty.get().decimal());
    }
    if (settings.field("enableOobLoadReport").map(JsonField::bool).orElse(false)) {
      read =
          read.withOobReportingPeriod(
              settings.field("oobReportingPeriod").map(JsonField::duration).orElse(OOB_PERIOD));
    }
    return LoadBalancerProvider.weightedRoundRobin(read);
  }

  private static <T> T durationOr(
      JsonField settings, String name, T absent, Function<Duration, T> with) {
    return settings
        .field(name)
        .map(it -> it.checked(at -> with.apply(at.duration())))
        .orElse(absent);
  }

  private LoadBalancerProvider outlierDetection(JsonField settings) {
    OutlierDetectionSettings read = OutlierDetectionSettings.DEFAULT;
    read = durationOr(settings, "interval", read, read::withInterval);
    Duration base = durationOr(settings, "baseEjectionTime", read.baseEjectionTime(), it -> it);
    Duration longest =
        durationOr(settings, "maxEjectionTime", longer(base, read.maxEjectionTime()), it -> it);
    read = read.withEjectionTimes(base, longest);
    Optional<JsonField> percent = settings.field("maxEjectionPercent");
    if (percent.isPresent()) {
      read = read.withMaxEjectionPercent(percent.get().integer());
    }
    Optional<JsonField> success = settings.field("successRateEjection");
    if (success.isPresent()) {
      read = read.with(success.get().checked(BalancingPolicies::successRate));
    }
    Optional<JsonField> failures = settings.field("failurePercentageEjection");
    if (failures.isPresent()) {
      read = read.with(failures.get().checked(BalancingPolicies::failurePercentage));
    }
    return LoadBalancerProvider.outlierDetection(read, first(settings.required("childPolicy")));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static OutlierDetectionSettings.SuccessRate successRate(JsonField settings) {
    OutlierDetectionSettings.SuccessRate by = OutlierDetectionSettings.SuccessRate.DEFAULT;
    return by.withStdevFactor(integerOr(settings, "stdevFactor", by.stdevFactor()))
        .withEnforcementPercentage(
            integerOr(settings, "enforcementPercentage", by.enforcementPercentage()))
        .withMinimumHosts(integerOr(settings, "minimumHosts", by.minimumHosts()))
        .withRequestVolume(integerOr(settings, "requestVolume", by.requestVolume()));
  }

  private static OutlierDetectionSettings.FailurePercentage failurePercentage(JsonField settings) {
    OutlierDetectionSettings.FailurePercentage by =
        OutlierDetectionSettings.FailurePercentage.DEFAULT;
    return by.withThreshold(integerOr(settings, "threshold", by.threshold()))
        .withEnforcementPercentage(
            integerOr(settings, "enforcementPercentage", by.enforcementPercentage()))
        .withMinimumHosts(integerOr(settings, "minimumHosts", by.minimumHosts()))
        .withRequestVolume(integerOr(settings, "requestVolume", by.requestVolume()));
  }

  private static int integerOr(JsonField settings, String name, int absent) {
    return settings.field(name).map(JsonField::integer).orElse(absent);
  }

  private LoadBalancerProvider randomSubsetting(JsonField settings) {
    return LoadBalancerProvider.randomSubsetting(
        settings.required("subsetSize").integer(), first(settings.required("childPolicy")));
  }
}
